// Accessors of Intl.Locale.prototype, behind its methods (locale_information.js).
// https://tc39.es/proposal-intl-locale-info/
// https://tc39.es/ecma402/#sec-Intl.Locale.prototype.variants

installMethods(LocalePrototype, {
  get firstDayOfWeek() {
    return part('dates').firstDayOfWeekOf(this);
  },
  get variants() {
    return part('dates').variantsOf(this);
  },
});
