// Date setters that convert their arguments as the language has it now: all of them, in
// order, and after the time value has been read. The engine reads it last, and stops at
// the first argument when that is NaN.
// ECMA-262, section 21.4.4.20, https://tc39.es/ecma262/#sec-date.prototype.setdate

{
  // set calls a setter of the engine with at most count arguments.
  const set = (date, setter, given, count) => {
    const time = DatePrototypeGetTime(date);
    const numbers = newList();
    for (let i = 0; i < given.length && i < count; i++) numbers[i] = +given[i];
    if (time !== time) return NaN;
    // A conversion may have set another.
    DatePrototypeSetTime(date, time);
    return ReflectApply(setter, date, numbers);
  };

  const {
    setDate, setHours, setMilliseconds, setMinutes, setMonth, setSeconds,
    setUTCDate, setUTCHours, setUTCMilliseconds, setUTCMinutes, setUTCMonth, setUTCSeconds,
  } = DatePrototype;

  installMethods(DatePrototype, {
    setDate(date) {
      return set(this, setDate, arguments, 1);
    },

    setHours(hour, minute, second, millisecond) {
      return set(this, setHours, arguments, 4);
    },

    setMilliseconds(millisecond) {
      return set(this, setMilliseconds, arguments, 1);
    },

    setMinutes(minute, second, millisecond) {
      return set(this, setMinutes, arguments, 3);
    },

    setMonth(month, date) {
      return set(this, setMonth, arguments, 2);
    },

    setSeconds(second, millisecond) {
      return set(this, setSeconds, arguments, 2);
    },

    setUTCDate(date) {
      return set(this, setUTCDate, arguments, 1);
    },

    setUTCHours(hour, minute, second, millisecond) {
      return set(this, setUTCHours, arguments, 4);
    },

    setUTCMilliseconds(millisecond) {
      return set(this, setUTCMilliseconds, arguments, 1);
    },

    setUTCMinutes(minute, second, millisecond) {
      return set(this, setUTCMinutes, arguments, 3);
    },

    setUTCMonth(month, date) {
      return set(this, setUTCMonth, arguments, 2);
    },

    setUTCSeconds(second, millisecond) {
      return set(this, setUTCSeconds, arguments, 2);
    },
  });
}
