// Intl.DurationFormat: durations as people write them.
// ECMA-402, https://tc39.es/ecma402/#durationformat-objects
//
// It is made of the engine's number and list formats. None of them is kept: a live one
// cannot be in the snapshot, and what they cost is paid by a program that formats. The
// engine's number formats know no microseconds and nanoseconds: their names are made of
// that of milliseconds.

{
  const WORDS = ['long', 'short', 'narrow'];
  const WORDS_AND_NUMBERS = ['long', 'short', 'narrow', 'numeric', '2-digit'];
  const WORDS_AND_NUMERIC = ['long', 'short', 'narrow', 'numeric'];
  const HOURS = 4;
  const SECONDS = 6;
  const NANOSECONDS = 9;

  const stylesOf = (unit) => (unit < HOURS ? WORDS : unit <= SECONDS ? WORDS_AND_NUMBERS : WORDS_AND_NUMERIC);
  const isNumeric = (style) => style === 'numeric' || style === '2-digit' || style === 'fractional';
  const singular = (unit) => StringPrototypeSlice(DURATION_UNITS[unit], 0, -1);

  // getOption is GetOption, of strings.
  const getOption = (options, name, values, fallback) => {
    const value = options[name];
    if (value === undefined) return fallback;
    const text = `${value}`;
    if (values === undefined) return text;
    for (let i = 0; i < values.length; i++) if (values[i] === text) return text;
    throw new RangeError(`Intl.DurationFormat: ${name} cannot be '${cut(text, 64)}'`);
  };

  // getUnitOptions is GetDurationUnitOptions.
  const getUnitOptions = (unit, options, baseStyle, before) => {
    const name = DURATION_UNITS[unit];
    let style = getOption(options, name, stylesOf(unit), undefined);
    let display = 'always';
    if (style === undefined) {
      if (baseStyle === 'digital') {
        style = unit < HOURS ? 'short' : 'numeric';
        if (unit < HOURS || unit > SECONDS) display = 'auto';
      } else if (isNumeric(before)) {
        style = 'numeric';
        if (unit > SECONDS) display = 'auto';
      } else {
        style = baseStyle;
        display = 'auto';
      }
    }
    if (style === 'numeric' && unit > SECONDS) {
      style = 'fractional';
      display = 'auto';
    }
    display = getOption(options, `${name}Display`, ['auto', 'always'], display);
    if ((display === 'always' && style === 'fractional') || (before === 'fractional' && style !== 'fractional') ||
        (isNumeric(before) && !isNumeric(style))) {
      throw new RangeError(`Intl.DurationFormat: ${name} cannot have the style ${style} and the display ${display} here`);
    }
    if ((unit === 5 || unit === SECONDS) && (before === 'numeric' || before === '2-digit')) style = '2-digit';
    return { __proto__: null, style, display };
  };

  // decimal returns nanoseconds as a decimal number of the unit with that index, 6 to 9.
  const decimal = (nanoseconds, unit) => {
    const places = 3 * (NANOSECONDS - unit);
    const sign = nanoseconds < 0n ? '-' : '';
    const text = StringPrototypePadStart(`${nanoseconds < 0n ? -nanoseconds : nanoseconds}`, places + 1, '0');
    const point = text.length - places;
    const fraction = StringPrototypeSlice(text, point);
    return `${sign}${StringPrototypeSlice(text, 0, point)}${fraction === '' ? '' : `.${fraction}`}`;
  };

  // unitText returns the name of a unit that the engine's number formats do not know, made
  // of the one of milliseconds as they write it.
  const unitText = (unit, text) => {
    const isMicro = unit === 8;
    const at = StringPrototypeIndexOf(StringPrototypeToLowerCase(text), 'mil');
    if (at < 0) return isMicro ? '\u03bcs' : 'ns';
    const end = at + (text[at + 3] === 'l' ? 5 : 4);
    return `${StringPrototypeSlice(text, 0, at)}${isMicro ? 'micro' : 'nano'}${StringPrototypeSlice(text, end)}`;
  };

  class DurationFormat {
    #locale;
    #numberingSystem;
    #style;
    #units = newList();
    #fractionalDigits;

    constructor(locales = undefined, options = undefined) {
      const requested = IntlGetCanonicalLocales(locales);
      if (options === undefined) options = ObjectCreate(null);
      else if (!isObject(options)) throw new TypeError('Intl.DurationFormat: the options are not an object');
      const localeMatcher = getOption(options, 'localeMatcher', ['lookup', 'best fit'], 'best fit');
      const numberingSystem = getOption(options, 'numberingSystem', undefined, undefined);
      const resolved = NumberFormatPrototypeResolvedOptions(new NumberFormat(requested, { __proto__: null, localeMatcher, numberingSystem }));
      this.#locale = resolved.locale;
      this.#numberingSystem = resolved.numberingSystem;
      this.#style = getOption(options, 'style', ['long', 'short', 'narrow', 'digital'], 'short');
      let before = '';
      for (let unit = 0; unit < DURATION_UNITS.length; unit++) {
        this.#units[unit] = getUnitOptions(unit, options, this.#style, before);
        if (unit >= HOURS && unit < NANOSECONDS) before = this.#units[unit].style;
      }
      const digits = options.fractionalDigits;
      if (digits !== undefined) {
        const number = +digits;
        if (!(number >= 0 && number <= 9)) throw new RangeError('Intl.DurationFormat: fractionalDigits is outside the range 0 to 9');
        this.#fractionalDigits = MathFloor(number);
      }
    }

    static supportedLocalesOf(locales, options = undefined) {
      return ReflectApply(NumberFormatSupportedLocalesOf, NumberFormat, [locales, options]);
    }

    format(duration) {
      if (!isObject(this) || !(#units in this)) throw illegalInvocation('Intl.DurationFormat.prototype.format');
      const parts = this.#parts(toDurationRecord(duration, 'Intl.DurationFormat.prototype.format'));
      let text = '';
      for (let i = 0; i < parts.length; i++) text += parts[i].value;
      return text;
    }

    formatToParts(duration) {
      if (!isObject(this) || !(#units in this)) throw illegalInvocation('Intl.DurationFormat.prototype.formatToParts');
      const parts = this.#parts(toDurationRecord(duration, 'Intl.DurationFormat.prototype.formatToParts'));
      const out = [];
      for (let i = 0; i < parts.length; i++) {
        const { type, value, unit } = parts[i];
        const part = unit === undefined ? { type, value } : { type, value, unit };
        ObjectDefineProperty(out, i, { __proto__: null, value: part, writable: true, enumerable: true, configurable: true });
      }
      return out;
    }

    resolvedOptions() {
      if (!isObject(this) || !(#units in this)) throw illegalInvocation('Intl.DurationFormat.prototype.resolvedOptions');
      const options = { locale: this.#locale, numberingSystem: this.#numberingSystem, style: this.#style };
      const set = (name, value) =>
        ObjectDefineProperty(options, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      for (let i = 0; i < DURATION_UNITS.length; i++) {
        const { style, display } = this.#units[i];
        set(DURATION_UNITS[i], style === 'fractional' ? 'numeric' : style);
        set(`${DURATION_UNITS[i]}Display`, display);
      }
      if (this.#fractionalDigits !== undefined) set('fractionalDigits', this.#fractionalDigits);
      return options;
    }

    // #parts is PartitionDurationFormatPattern: a list of records {type, value, unit}.
    #parts(record) {
      const groups = newList(); // each a list of the parts of one element of the list
      const sign = { __proto__: null, shown: true, isNegative: durationSign(record) < 0 };
      for (let unit = 0; unit < DURATION_UNITS.length; unit++) {
        const { style, display } = this.#units[unit];
        if (style === 'numeric' || style === '2-digit') {
          this.#numericUnits(groups, record, unit, sign);
          break;
        }
        const isLast = this.#isFractional(unit + 1);
        const nanoseconds = isLast ? nanosecondsFrom(record, unit) : 0n;
        const isZero = isLast ? nanoseconds === 0n : record[DURATION_UNITS[unit]] === 0;
        if (!isZero || display === 'always') {
          const value = isLast ? decimal(nanoseconds, unit) : record[DURATION_UNITS[unit]];
          const options = { __proto__: null, style: 'unit', unit: singular(unit), unitDisplay: style };
          const group = newList();
          this.#number(group, unit, value, isZero, options, sign, isLast);
          groups[groups.length] = group;
        }
        if (isLast) break;
      }
      return this.#list(groups);
    }

    #isFractional(unit) {
      return unit > SECONDS && unit <= NANOSECONDS && this.#units[unit].style === 'fractional';
    }

    // #number appends the parts of one number.
    #number(group, unit, value, isZero, options, sign, hasFraction) {
      options.numberingSystem = this.#numberingSystem;
      if (hasFraction) {
        options.maximumFractionDigits = this.#fractionalDigits ?? 9;
        options.minimumFractionDigits = this.#fractionalDigits ?? 0;
        options.roundingMode = 'trunc';
      }
      if (sign.shown) {
        sign.shown = false;
        if (isZero && sign.isNegative) value = -0;
      } else {
        options.signDisplay = 'never';
      }
      const isUnknown = options.unit === 'microsecond' || options.unit === 'nanosecond';
      if (isUnknown) options.unit = 'millisecond';
      const parts = NumberFormatPrototypeFormatToParts(new NumberFormat(this.#locale, options), value);
      for (let i = 0; i < parts.length; i++) {
        const { type } = parts[i];
        const text = isUnknown && type === 'unit' ? unitText(unit, parts[i].value) : parts[i].value;
        group[group.length] = { __proto__: null, type, value: text, unit: singular(unit) };
      }
    }

    // #numericUnits is FormatNumericUnits: appends one element.
    #numericUnits(groups, record, first, sign) {
      const hasFraction = this.#isFractional(SECONDS + 1);
      const nanoseconds = hasFraction ? nanosecondsFrom(record, SECONDS) : 0n;
      const secondsAreZero = hasFraction ? nanoseconds === 0n : record.seconds === 0;
      const isShown = (unit, isZero) => first <= unit && (!isZero || this.#units[unit].display === 'always');
      const hours = isShown(HOURS, record.hours === 0);
      const seconds = isShown(SECONDS, secondsAreZero);
      const minutes = first <= 5 && ((hours && seconds) || isShown(5, record.minutes === 0));
      const group = newList();
      const append = (unit, value, isZero, withFraction) => {
        if (group.length > 0) group[group.length] = { __proto__: null, type: 'literal', value: this.#separator() };
        const options = { __proto__: null, useGrouping: false };
        if (this.#units[unit].style === '2-digit') options.minimumIntegerDigits = 2;
        this.#number(group, unit, value, isZero, options, sign, withFraction);
      };
      if (hours) append(HOURS, record.hours, record.hours === 0, false);
      if (minutes) append(5, record.minutes, record.minutes === 0, false);
      if (seconds) append(SECONDS, hasFraction ? decimal(nanoseconds, SECONDS) : record.seconds, secondsAreZero, hasFraction);
      if (group.length > 0) groups[groups.length] = group;
    }

    // #separator returns what the locale writes between hours and minutes.
    #separator() {
      const options = { __proto__: null, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' };
      const parts = DateTimeFormatPrototypeFormatToParts(new DateTimeFormat(this.#locale, options), 0);
      for (let i = 1; i + 1 < parts.length; i++) {
        if (parts[i].type === 'literal' && parts[i - 1].type === 'hour' && parts[i + 1].type === 'minute') return parts[i].value;
      }
      return ':';
    }

    // #list is ListFormatParts.
    #list(groups) {
      const texts = newList();
      for (let i = 0; i < groups.length; i++) {
        let text = '';
        for (let k = 0; k < groups[i].length; k++) text += groups[i][k].value;
        texts[i] = text;
      }
      const style = this.#style === 'digital' ? 'short' : this.#style;
      const format = new ListFormat(this.#locale, { __proto__: null, type: 'unit', style });
      const parts = ListFormatPrototypeFormatToParts(format, iterableOf(texts));
      const out = newList();
      let at = 0;
      for (let i = 0; i < parts.length; i++) {
        if (parts[i].type !== 'element') {
          out[out.length] = { __proto__: null, type: 'literal', value: parts[i].value };
          continue;
        }
        const group = groups[at++];
        for (let k = 0; k < group.length; k++) out[out.length] = group[k];
      }
      return out;
    }
  }
  exports.DurationFormat = named(DurationFormat, 'DurationFormat');
  hidden(DurationFormat.prototype, SymbolToStringTag, 'Intl.DurationFormat');
  ObjectDefineProperty(DurationFormat.prototype, SymbolToStringTag, { __proto__: null, writable: false });

  // iterableOf returns an iterable of a list whose iterator is nobody else's.
  function iterableOf(list) {
    let at = 0;
    const next = () => (at < list.length ? { __proto__: null, value: list[at++], done: false } : { __proto__: null, value: undefined, done: true });
    return { __proto__: null, [SymbolIterator]: () => ({ __proto__: null, next }) };
  }
}
