/*---
title: TypeScript with types, enums, generics and namespaces
source: own
canary: true
input: {name: Ada}
tools: [tools.add]
expect: {value: {greeting: "Hello Ada", level: 2, sum: 5, keys: [a]}}
---*/
enum Level { Low = 1, High }
type Input = { name: string };
abstract class Base<T> { constructor(protected readonly value: T) {} abstract show(): string }
class Greeting extends Base<string> { show(): string { return `Hello ${this.value}` } }
declare const tools: { add(x: { a: number; b: number }): Promise<number> };
const keys = <T extends object>(o: T): (keyof T)[] => Object.keys(o) as (keyof T)[];

async ({ name }: Input): Promise<unknown> => ({
  greeting: new Greeting(name).show(), level: Level.High, sum: await tools.add({ a: 2, b: 3 } satisfies { a: number; b: number }), keys: keys({ a: 1 }),
})
