/*---
title: TypeScript keeps its positions and runs enums and generics
source: own
canary: true
expect: {fault: thrown, text: "2 typed", stack: {contains: "program:13:9"}}
---*/
enum Kind { One = 1, Two }
interface Shape<T> { value: T }
function identity<T extends Shape<number>>(shape: T): T { return shape }

(): never => {
  const shape: Shape<number> = identity({ value: Kind.Two });
  throw new Error(`${shape.value} typed`);
}
