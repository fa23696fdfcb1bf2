/*---
title: TypeScript that imports a module of types, of which nothing is left
source: own
canary: true
form: module
modules: {types: {source: "export type Id = number", language: ts}}
expect: {value: 2}
---*/
import type { Id } from "types";
import "types";
const next = (id: Id): Id => id + 1;
export default next(1);
