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

  exports.dateSetters = {
    setDate(date) {
      return set(this, engineDateDate, arguments, 1);
    },

    setHours(hour, minute, second, millisecond) {
      return set(this, engineDateHours, arguments, 4);
    },

    setMilliseconds(millisecond) {
      return set(this, engineDateMilliseconds, arguments, 1);
    },

    setMinutes(minute, second, millisecond) {
      return set(this, engineDateMinutes, arguments, 3);
    },

    setMonth(month, date) {
      return set(this, engineDateMonth, arguments, 2);
    },

    setSeconds(second, millisecond) {
      return set(this, engineDateSeconds, arguments, 2);
    },

    setUTCDate(date) {
      return set(this, engineDateUTCDate, arguments, 1);
    },

    setUTCHours(hour, minute, second, millisecond) {
      return set(this, engineDateUTCHours, arguments, 4);
    },

    setUTCMilliseconds(millisecond) {
      return set(this, engineDateUTCMilliseconds, arguments, 1);
    },

    setUTCMinutes(minute, second, millisecond) {
      return set(this, engineDateUTCMinutes, arguments, 3);
    },

    setUTCMonth(month, date) {
      return set(this, engineDateUTCMonth, arguments, 2);
    },

    setUTCSeconds(second, millisecond) {
      return set(this, engineDateUTCSeconds, arguments, 2);
    },
  };
}
