// Information of a locale: the methods of Intl.Locale.prototype that took the place of
// the accessors which the engine has, and the accessors that it has not.
// https://tc39.es/proposal-intl-locale-info/
// https://tc39.es/ecma402/#sec-Intl.Locale.prototype.variants
//
// This part is built when Intl.Locale is first read. Nothing else leads to the constructor or its
// prototype, so that no program can have patched what is taken from there.
//
// The engine looks at the language and region alone. Here the keywords count as well: rg and
// sd, which name a region, and fw, which names the first day of the week.

{
  const { prototype: LocalePrototype } = Locale;
  const LocalePrototypeToString = uncurryThis(LocalePrototype.toString);
  const getterOf = (key) => uncurryThis(ReflectGetOwnPropertyDescriptor(LocalePrototype, key).get);
  const LocalePrototypeGetBaseName = getterOf('baseName');
  const LocalePrototypeGetCalendar = getterOf('calendar');
  const LocalePrototypeGetCalendars = getterOf('calendars');
  const LocalePrototypeGetCollations = getterOf('collations');
  const LocalePrototypeGetHourCycle = getterOf('hourCycle');
  const LocalePrototypeGetHourCycles = getterOf('hourCycles');
  const LocalePrototypeGetLanguage = getterOf('language');
  const LocalePrototypeGetNumberingSystems = getterOf('numberingSystems');
  const LocalePrototypeGetRegion = getterOf('region');
  const LocalePrototypeGetScript = getterOf('script');
  const LocalePrototypeGetTextInfo = getterOf('textInfo');
  const LocalePrototypeGetTimeZones = getterOf('timeZones');
  const LocalePrototypeGetWeekInfo = getterOf('weekInfo');

  // keywordOf returns the value of a keyword of the extension u, '' when there is none.
  const keywordOf = (locale, key) => {
    const text = LocalePrototypeToString(locale);
    const extension = StringPrototypeIndexOf(text, '-u-');
    const from = extension < 0 ? -1 : StringPrototypeIndexOf(text, `-${key}-`, extension);
    const own = StringPrototypeIndexOf(text, '-x-'); // where subtags of private use begin
    if (from < 0 || (own >= 0 && own < from)) return '';
    const end = StringPrototypeIndexOf(text, '-', from + 4);
    return StringPrototypeSlice(text, from + 4, end < 0 ? text.length : end);
  };

  // regionOf returns the region at the start of a subdivision, '' when it has none.
  const regionOf = (subdivision) => {
    const first = StringPrototypeCharCodeAt(subdivision, 0);
    return StringPrototypeSlice(subdivision, 0, first >= 48 && first <= 57 ? 3 : 2);
  };

  // inRegion returns the locale with the region that counts (RegionPreference).
  const inRegion = (locale) => {
    const override = keywordOf(locale, 'rg');
    const region = override !== '' || LocalePrototypeGetRegion(locale) !== undefined ? override : keywordOf(locale, 'sd');
    if (region === '') return locale;
    const script = LocalePrototypeGetScript(locale);
    return new Locale(`${LocalePrototypeGetLanguage(locale)}${script === undefined ? '' : `-${script}`}-${regionOf(region)}`);
  };

  const dayOf = (name) => {
    switch (name) {
      case 'mon': return 1;
      case 'tue': return 2;
      case 'wed': return 3;
      case 'thu': return 4;
      case 'fri': return 5;
      case 'sat': return 6;
      case 'sun': return 7;
      default: return undefined;
    }
  };

  installMethods(LocalePrototype, {
    getCalendars() {
      return LocalePrototypeGetCalendars(LocalePrototypeGetCalendar(this) === undefined ? inRegion(this) : this);
    },

    getCollations() {
      return ArrayPrototypeSort(LocalePrototypeGetCollations(this));
    },

    getHourCycles() {
      return LocalePrototypeGetHourCycles(LocalePrototypeGetHourCycle(this) === undefined ? inRegion(this) : this);
    },

    getNumberingSystems() {
      return LocalePrototypeGetNumberingSystems(this);
    },

    getTextInfo() {
      return LocalePrototypeGetTextInfo(this);
    },

    getTimeZones() {
      return LocalePrototypeGetTimeZones(this);
    },

    getWeekInfo() {
      const { firstDay, weekend } = LocalePrototypeGetWeekInfo(inRegion(this));
      return { firstDay: dayOf(keywordOf(this, 'fw')) ?? firstDay, weekend };
    },

    get firstDayOfWeek() {
      const value = keywordOf(this, 'fw');
      return value === '' ? undefined : value;
    },

    get variants() {
      const name = LocalePrototypeGetBaseName(this);
      // A variant has five characters or more, or four of which the first is a digit; what
      // comes before the first variant is the language, a script and a region.
      let from = StringPrototypeIndexOf(name, '-');
      while (from >= 0) {
        const next = StringPrototypeIndexOf(name, '-', from + 1);
        const length = (next < 0 ? name.length : next) - from - 1;
        const isDigit = name[from + 1] >= '0' && name[from + 1] <= '9';
        if (length >= 5 || (length === 4 && isDigit)) return StringPrototypeSlice(name, from + 1);
        from = next;
      }
      return undefined;
    },
  });

  exports.Locale = Locale;
}
