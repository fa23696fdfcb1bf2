/*---
title: a graph with a cycle, TypeScript and a dynamic import works
source: own
canary: true
form: module
input: 20
modules:
  a: "import { b } from 'b'; export const a = () => 'a' + b()"
  b: "import { a } from 'a'; export const b = () => typeof a"
  typed: {language: ts, source: "export const twice = (n: number): number => 2 * n"}
expect: {value: ["afunction", 40, "c"]}
---*/
import { a } from "a";
import { twice } from "typed";
export default async n => [a(), twice(n), await import("b").then(m => typeof m.b === "function" ? "c" : "d")];
