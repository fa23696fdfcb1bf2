// Event and CustomEvent. https://dom.spec.whatwg.org/#events

const { add: addEventSlots, has: isEvent, of: eventSlots } = newSlots('Event');
const { add: addCustomEventSlots, has: isCustomEvent, of: customEventSlots } = newSlots('CustomEvent');

const PHASE_NONE = 0;
const PHASE_AT_TARGET = 2;

// isTrusted is an unforgeable attribute: each event has it as its own, with one getter.
const isTrustedGetter = ObjectGetOwnPropertyDescriptor({
  get isTrusted() {
    return eventSlots(this, 'Event.isTrusted').isTrusted;
  },
}, 'isTrusted').get;

function newEventSlots(type, bubbles, cancelable, composed, isTrusted) {
  return {
    __proto__: null, type, bubbles, cancelable, composed, isTrusted, timeStamp: currentTime(),
    target: null, currentTarget: null, phase: PHASE_NONE,
    dispatching: false, stopPropagation: false, stopImmediatePropagation: false,
    canceled: false, inPassiveListener: false,
  };
}

// initializeEvent gives an object the slots of an event, and isTrusted.
function initializeEvent(object, slots) {
  addEventSlots(object, slots);
  ObjectDefineProperty(object, 'isTrusted', {
    __proto__: null, get: isTrustedGetter, set: undefined, enumerable: true, configurable: false,
  });
  return object;
}

// newTrustedEvent makes an event of the runtime's own, which neither bubbles nor can be canceled.
function newTrustedEvent(type) {
  return initializeEvent({ __proto__: Event.prototype }, newEventSlots(type, false, false, false, true));
}

// constructEvent reads the dictionary EventInit and gives an event its slots.
function constructEvent(object, type, options, what) {
  const init = toDictionaryObject(options, `${what}: the options`);
  const bubbles = init !== undefined && !!init.bubbles;
  const cancelable = init !== undefined && !!init.cancelable;
  const composed = init !== undefined && !!init.composed;
  initializeEvent(object, newEventSlots(type, bubbles, cancelable, composed, false));
  return init;
}

// https://dom.spec.whatwg.org/#set-the-canceled-flag
function setCanceled(slots) {
  if (slots.cancelable && !slots.inPassiveListener) slots.canceled = true;
}

// reinitializeEvent reports whether it did anything: an event that is being dispatched stays.
// https://dom.spec.whatwg.org/#concept-event-initialize
function reinitializeEvent(event, type, bubbles, cancelable) {
  const slots = eventSlots(event);
  if (slots.dispatching) return false;
  slots.stopPropagation = slots.stopImmediatePropagation = slots.canceled = false;
  slots.isTrusted = false;
  slots.target = null;
  slots.type = type;
  slots.bubbles = bubbles;
  slots.cancelable = cancelable;
  return true;
}

class Event {
  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'Event');
    constructEvent(this, toDOMString(type, 'Event: the type'), eventInitDict, 'Event');
  }

  get type() {
    return eventSlots(this, 'Event.type').type;
  }

  get target() {
    return eventSlots(this, 'Event.target').target;
  }

  get srcElement() {
    return eventSlots(this, 'Event.srcElement').target;
  }

  get currentTarget() {
    return eventSlots(this, 'Event.currentTarget').currentTarget;
  }

  // A target is in no tree here, so it is the whole path.
  composedPath() {
    const { currentTarget } = eventSlots(this, 'Event.composedPath');
    return currentTarget === null ? [] : [currentTarget];
  }

  get eventPhase() {
    return eventSlots(this, 'Event.eventPhase').phase;
  }

  stopPropagation() {
    eventSlots(this, 'Event.stopPropagation').stopPropagation = true;
  }

  get cancelBubble() {
    return eventSlots(this, 'Event.cancelBubble').stopPropagation;
  }

  set cancelBubble(value) {
    const slots = eventSlots(this, 'Event.cancelBubble');
    if (value) slots.stopPropagation = true;
  }

  stopImmediatePropagation() {
    const slots = eventSlots(this, 'Event.stopImmediatePropagation');
    slots.stopPropagation = slots.stopImmediatePropagation = true;
  }

  get bubbles() {
    return eventSlots(this, 'Event.bubbles').bubbles;
  }

  get cancelable() {
    return eventSlots(this, 'Event.cancelable').cancelable;
  }

  get returnValue() {
    return !eventSlots(this, 'Event.returnValue').canceled;
  }

  set returnValue(value) {
    const slots = eventSlots(this, 'Event.returnValue');
    if (!value) setCanceled(slots);
  }

  preventDefault() {
    setCanceled(eventSlots(this, 'Event.preventDefault'));
  }

  get defaultPrevented() {
    return eventSlots(this, 'Event.defaultPrevented').canceled;
  }

  get composed() {
    return eventSlots(this, 'Event.composed').composed;
  }

  get timeStamp() {
    return eventSlots(this, 'Event.timeStamp').timeStamp;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    eventSlots(this, 'Event.initEvent');
    requireArguments(arguments.length, 1, 'Event.initEvent');
    reinitializeEvent(this, toDOMString(type, 'Event.initEvent: the type'), !!bubbles, !!cancelable);
  }
}

class CustomEvent {
  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'CustomEvent');
    const init = constructEvent(this, toDOMString(type, 'CustomEvent: the type'), eventInitDict, 'CustomEvent');
    const detail = init === undefined ? undefined : init.detail;
    addCustomEventSlots(this, { __proto__: null, detail: detail === undefined ? null : detail });
  }

  get detail() {
    return customEventSlots(this, 'CustomEvent.detail').detail;
  }

  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    const custom = customEventSlots(this, 'CustomEvent.initCustomEvent');
    requireArguments(arguments.length, 1, 'CustomEvent.initCustomEvent');
    const text = toDOMString(type, 'CustomEvent.initCustomEvent: the type');
    if (reinitializeEvent(this, text, !!bubbles, !!cancelable)) custom.detail = detail;
  }
}

defineInterface(Event, 'Event');
defineConstants(Event, { __proto__: null, NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });
defineInterface(CustomEvent, 'CustomEvent');
inheritInterface(CustomEvent, Event);

// describeEvent lists what is worth seeing of an event.
function describeEvent(value) {
  const slots = eventSlots(value);
  return [
    { 0: 'type', 1: slots.type }, { 0: 'defaultPrevented', 1: slots.canceled }, { 0: 'cancelable', 1: slots.cancelable },
    { 0: 'timeStamp', 1: slots.timeStamp },
  ];
}

definePlatformKind(Event, 'Event', { __proto__: null, has: isEvent, describe: describeEvent, unforgeable: 'isTrusted' });
definePlatformKind(CustomEvent, 'CustomEvent', {
  __proto__: null, has: isCustomEvent, unforgeable: 'isTrusted',
  describe: (value) => {
    const list = describeEvent(value);
    ObjectSetPrototypeOf(list, null);
    list[list.length] = { 0: 'detail', 1: customEventSlots(value).detail };
    return list;
  },
});

exports.Event = Event;
exports.CustomEvent = CustomEvent;
exports.constructEvent = constructEvent;
exports.initializeEvent = initializeEvent;
exports.newEventSlots = newEventSlots;
exports.newTrustedEvent = newTrustedEvent;
exports.reinitializeEvent = reinitializeEvent;
exports.describeEvent = describeEvent;
