/*---
title: an error that carries the fields of a fault
source: P10
expect:
  fault: thrown
  class: program
  retryable: false
  name: DeadlineExceeded
  text: "deadline exceeded: the wall-clock limit is 30s"
---*/
() => {
  throw Object.assign(new Error("deadline exceeded: the wall-clock limit is 30s"), {
    name: "DeadlineExceeded", code: "deadline_exceeded", kind: "wall", class: "limit", retryable: true, isSystemError: true, termination: true,
    limitMs: 1, started: false, delivered: [], fault: { code: "cancelled" },
  });
}
