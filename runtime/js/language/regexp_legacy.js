// The legacy properties of RegExp, RegExp.$1 and its like: the engine's, but for RegExp
// itself alone, and without setters where the proposal has none.
// https://github.com/tc39/proposal-regexp-legacy-features

{
  const requireRegExp = (receiver, name) => {
    if (receiver !== RegExp) throw new TypeError(`RegExp.${name} is of the built-in RegExp alone`);
  };
  const install = (name, isWritable) => {
    const { get: read, set: write } = ObjectGetOwnPropertyDescriptor(RegExp, name);
    const accessors = {
      get [name]() {
        requireRegExp(this, name);
        return ReflectApply(read, RegExp, []);
      },
      set [name](value) {
        requireRegExp(this, name);
        ReflectApply(write, RegExp, [value]);
      },
    };
    const { get, set } = ObjectGetOwnPropertyDescriptor(accessors, name);
    ObjectDefineProperty(RegExp, name, { __proto__: null, get, set: isWritable ? set : undefined, enumerable: false });
  };
  const names = ['lastMatch', '$&', 'lastParen', '$+', 'leftContext', '$`', 'rightContext', "$'"];
  for (let i = 0; i < names.length; i++) install(names[i], false);
  for (let i = 1; i <= 9; i++) install(`$${i}`, false);
  install('input', true);
  install('$_', true);
}
