// Globals: the attributes of the global object, which are there from the start. Its functions
// and classes are lazy properties (parts.js).
// https://html.spec.whatwg.org/multipage/webappapis.html#windoworworkerglobalscope-mixin

// Attributes of the global object; each object is made with its part, on first use.
// https://webidl.spec.whatwg.org/#js-attributes
const globalAttributes = {
  get crypto() {
    requireGlobal(this, 'crypto');
    return part('random').crypto;
  },
  get navigator() {
    requireGlobal(this, 'navigator');
    return part('navigator').navigator;
  },
  // https://webidl.spec.whatwg.org/#Replaceable
  get performance() {
    requireGlobal(this, 'performance');
    return part('performance').performance;
  },
  set performance(value) {
    requireGlobal(this, 'performance');
    visible(globalObject, 'performance', value);
  },
};

// requireGlobal throws unless an attribute is asked of the global object.
function requireGlobal(receiver, what) {
  if (receiver !== undefined && receiver !== null && receiver !== globalObject) throw illegalInvocation(what);
}

function installAttributes(attributes) {
  const names = ObjectKeys(attributes);
  for (let i = 0; i < names.length; i++) {
    ObjectDefineProperty(globalObject, names[i], ObjectGetOwnPropertyDescriptor(attributes, names[i]));
  }
}

installAttributes(globalAttributes);

// The global object under the name that workers and windows have for it. A program may replace it, as the
// Replaceable attribute of a window. https://min-common-api.proposal.wintertc.org/#index
visible(globalObject, 'self', globalObject);

// installHandler defines an event handler of the global object, such as onerror for the events
// of type error. https://html.spec.whatwg.org/multipage/webappapis.html#globaleventhandlers
function installHandler(type) {
  const name = `on${type}`;
  const attribute = {
    get [name]() {
      requireGlobal(this, name);
      return isBuilt('events') ? part('events').globalHandler(type) : null;
    },
    set [name](value) {
      requireGlobal(this, name);
      part('events').setGlobalHandler(type, value);
    },
  };
  copyProperty(globalObject, attribute, name);
}

installHandler('error');
installHandler('rejectionhandled');
installHandler('unhandledrejection');
