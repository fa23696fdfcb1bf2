// Globals: the functions and attributes of the global object that are there from the
// start. What needs more than a few lines is in a part and built when called.
// https://html.spec.whatwg.org/multipage/webappapis.html#windoworworkerglobalscope-mixin

function installGlobals(functions) {
  const names = ObjectKeys(functions);
  for (let i = 0; i < names.length; i++) visible(globalObject, names[i], functions[names[i]]);
}

installGlobals(timerFunctions);
installGlobals(microtaskFunctions);
// As the Console standard has it: a writable, configurable property that is not
// enumerable. This replaces V8's own console, which prints nothing.
hidden(globalObject, 'console', consoleObject);

// Attributes of the global object; each object is made with its part, on first use.
// https://webidl.spec.whatwg.org/#js-attributes
const globalAttributes = {
  get crypto() {
    return part('random').crypto;
  },
};

function installAttributes(attributes) {
  const names = ObjectKeys(attributes);
  for (let i = 0; i < names.length; i++) {
    ObjectDefineProperty(globalObject, names[i], ObjectGetOwnPropertyDescriptor(attributes, names[i]));
  }
}

installAttributes(globalAttributes);
