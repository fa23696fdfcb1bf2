// Queues: first in, first out, in constant time on average.
// https://infra.spec.whatwg.org/#queues

// A queue of items: {items, head}; those in front of head have been taken.
function newQueue() {
  return { __proto__: null, items: newList(), head: 0 };
}

function queueSize(queue) {
  return queue.items.length - queue.head;
}

function addToQueue(queue, item) {
  queue.items[queue.items.length] = item;
}

function firstOfQueue(queue) {
  return queue.items[queue.head];
}

// takeFromQueue removes the first item. The list is copied when half of it is gone.
function takeFromQueue(queue) {
  const item = queue.items[queue.head];
  queue.items[queue.head++] = undefined;
  if (queue.head === queue.items.length) {
    queue.items = newList();
    queue.head = 0;
  } else if (queue.head > 64 && queue.head * 2 > queue.items.length) {
    const rest = newList();
    for (let i = queue.head; i < queue.items.length; i++) rest[rest.length] = queue.items[i];
    queue.items = rest;
    queue.head = 0;
  }
  return item;
}
