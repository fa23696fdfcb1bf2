// Performance. https://w3c.github.io/hr-time/#sec-performance
//
// The clock is monotonic and counts whole milliseconds since the time origin, which is at
// least one before the program's start. Its ticks are those of Date.now(), so that the two
// together tell no more than one. The host keeps the clock.

const { add: addPerformanceSlots, of: performanceSlots } = newSlots('Performance');

class Performance {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  now() {
    performanceSlots(this, 'Performance.now');
    return currentTime();
  }

  get timeOrigin() {
    performanceSlots(this, 'Performance.timeOrigin');
    return host(TIME_ORIGIN);
  }

  // https://webidl.spec.whatwg.org/#default-tojson-steps
  toJSON() {
    performanceSlots(this, 'Performance.toJSON');
    return { timeOrigin: host(TIME_ORIGIN) };
  }
}

const { EventTarget, initializeEventTarget } = part('events');

defineInterface(Performance, 'Performance');
inheritInterface(Performance, EventTarget);

exports.Performance = Performance;
exports.performance = addPerformanceSlots(
  initializeEventTarget({ __proto__: Performance.prototype }), { __proto__: null });
