// Navigator, of which there is the user agent only.
// https://html.spec.whatwg.org/multipage/system-state.html#client-identification
//
// What the machine is like (hardwareConcurrency, platform, language) is nothing that a
// program is told.

const { add: addNavigatorSlots, of: navigatorSlots } = newSlots('Navigator');

// One product token, as the Minimum Common Web API asks for.
const USER_AGENT = 'isogate/1';

class Navigator {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  get userAgent() {
    navigatorSlots(this, 'Navigator.userAgent');
    return USER_AGENT;
  }
}

defineInterface(Navigator, 'Navigator');

exports.Navigator = Navigator;
exports.navigator = addNavigatorSlots({ __proto__: Navigator.prototype }, { __proto__: null });
