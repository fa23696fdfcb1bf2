// Durations as Intl.DurationFormat takes them: objects whose properties are whole numbers
// of units, and texts of ISO 8601.
// ECMA-402, https://tc39.es/ecma402/#sec-todurationrecord

const DURATION_UNITS = [
  'years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds',
];

// In the order in which they are read.
const DURATION_UNITS_BY_NAME = [
  'days', 'hours', 'microseconds', 'milliseconds', 'minutes', 'months', 'nanoseconds', 'seconds', 'weeks', 'years',
];

// toDurationRecord is ToDurationRecord: a record of numbers by unit.
function toDurationRecord(input, what) {
  if (typeof input === 'string') return parseDuration(input, what);
  if (!isObject(input)) throw new TypeError(`${what}: the duration is neither an object nor a string`);
  const record = { __proto__: null };
  let isEmpty = true;
  for (let i = 0; i < DURATION_UNITS_BY_NAME.length; i++) {
    const unit = DURATION_UNITS_BY_NAME[i];
    const value = input[unit];
    record[unit] = 0;
    if (value === undefined) continue;
    isEmpty = false;
    const number = +value;
    if (!NumberIsInteger(number)) throw new RangeError(`${what}: ${unit} is not a whole number`);
    record[unit] = number + 0;
  }
  if (isEmpty) throw new TypeError(`${what}: the duration has none of the units`);
  return validDuration(record, what);
}

// durationSign is DurationSign: -1, 0 or 1.
function durationSign(record) {
  for (let i = 0; i < DURATION_UNITS.length; i++) {
    const value = record[DURATION_UNITS[i]];
    if (value !== 0) return value < 0 ? -1 : 1;
  }
  return 0;
}

// validDuration returns the record, or throws when it is not IsValidDuration.
function validDuration(record, what) {
  const sign = durationSign(record);
  for (let i = 0; i < DURATION_UNITS.length; i++) {
    const value = record[DURATION_UNITS[i]];
    if ((value < 0 && sign > 0) || (value > 0 && sign < 0)) throw new RangeError(`${what}: the units have different signs`);
    if (i < 3 && (value >= 4294967296 || value <= -4294967296)) throw new RangeError(`${what}: ${DURATION_UNITS[i]} is out of range`);
  }
  const whole = BigInt(record.days) * 86400n + BigInt(record.hours) * 3600n + BigInt(record.minutes) * 60n;
  const nanoseconds = whole * 1000000000n + nanosecondsFrom(record, 6);
  if (nanoseconds >= 9007199254740992000000000n || nanoseconds <= -9007199254740992000000000n) {
    throw new RangeError(`${what}: the duration is out of range`);
  }
  return record;
}

// nanosecondsFrom adds up the seconds and what is smaller, from the unit with that
// index on, 6 to 9.
function nanosecondsFrom(record, first) {
  let total = BigInt(record.nanoseconds);
  if (first <= 8) total += BigInt(record.microseconds) * 1000n;
  if (first <= 7) total += BigInt(record.milliseconds) * 1000000n;
  if (first <= 6) total += BigInt(record.seconds) * 1000000000n;
  return total;
}

// parseDuration is ParseTemporalDurationString.
function parseDuration(text, what) {
  const refuse = () => new RangeError(`${what}: '${cut(text, 64)}' is not a duration`);
  const record = { __proto__: null };
  for (let i = 0; i < DURATION_UNITS.length; i++) record[DURATION_UNITS[i]] = 0;
  let at = 0;
  const charIs = (upper) => at < text.length && (text[at] === upper || text[at] === StringPrototypeToLowerCase(upper));
  // digits returns the digits from here on.
  const digits = () => {
    const from = at;
    while (at < text.length && text[at] >= '0' && text[at] <= '9') at++;
    return StringPrototypeSlice(text, from, at);
  };
  let sign = 1;
  if (text[0] === '-' || text[0] === '+') {
    if (text[0] === '-') sign = -1;
    at++;
  }
  if (!charIs('P')) throw refuse();
  at++;
  const letters = 'YMWDHMS';
  let next = 0; // the unit that may come
  let read = 0;
  let inTime = false;
  while (at < text.length) {
    if (!inTime && charIs('T')) {
      inTime = true;
      at++;
      next = 4;
      read = 0;
    }
    const number = digits();
    if (number === '') throw refuse();
    let fraction = '';
    if (text[at] === '.' || text[at] === ',') {
      at++;
      fraction = digits();
      if (!inTime || fraction === '' || fraction.length > 9) throw refuse();
    }
    let unit = next;
    const end = inTime ? 7 : 4;
    while (unit < end && !charIs(letters[unit])) unit++;
    if (unit === end) throw refuse();
    at++;
    record[DURATION_UNITS[unit]] = sign * NumberParseFloat(number) + 0;
    read++;
    next = unit + 1;
    if (fraction !== '') {
      if (at !== text.length) throw refuse();
      spreadFraction(record, unit, fraction, sign);
    }
  }
  if (read === 0) throw refuse();
  return validDuration(record, what);
}

// spreadFraction gives the fraction of hours, minutes or seconds to the smaller units.
function spreadFraction(record, unit, fraction, sign) {
  const size = unit === 4 ? 3600n : unit === 5 ? 60n : 1n;
  let rest = BigInt(StringPrototypePadEnd(fraction, 9, '0')) * size;
  const sizes = [0n, 0n, 0n, 0n, 0n, 60000000000n, 1000000000n, 1000000n, 1000n, 1n];
  for (let i = unit + 1; i < DURATION_UNITS.length; i++) {
    record[DURATION_UNITS[i]] = sign * Number(rest / sizes[i]) + 0;
    rest %= sizes[i];
  }
}
