// Information of a locale: the methods of Intl.Locale.prototype that took the place of
// the accessors which the engine has.
// https://tc39.es/proposal-intl-locale-info/

{
  const { prototype } = globalObject.Intl.Locale;
  const getCalendars = uncurryGetter(prototype, 'calendars');
  const getCollations = uncurryGetter(prototype, 'collations');
  const getHourCycles = uncurryGetter(prototype, 'hourCycles');
  const getNumberingSystems = uncurryGetter(prototype, 'numberingSystems');
  const getTextInfo = uncurryGetter(prototype, 'textInfo');
  const getTimeZones = uncurryGetter(prototype, 'timeZones');
  const getWeekInfo = uncurryGetter(prototype, 'weekInfo');

  installMethods(prototype, {
    getCalendars() {
      return getCalendars(this);
    },

    getCollations() {
      return getCollations(this);
    },

    getHourCycles() {
      return getHourCycles(this);
    },

    getNumberingSystems() {
      return getNumberingSystems(this);
    },

    getTextInfo() {
      return getTextInfo(this);
    },

    getTimeZones() {
      return getTimeZones(this);
    },

    getWeekInfo() {
      const { firstDay, weekend } = getWeekInfo(this);
      return { firstDay, weekend };
    },
  });
}
