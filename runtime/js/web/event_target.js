// EventTarget, and event handlers such as onabort.
// https://dom.spec.whatwg.org/#interface-eventtarget
// https://html.spec.whatwg.org/multipage/webappapis.html#event-handlers
//
// A target is never in a tree, so an event's path is its target alone. What a listener
// throws is reported and ends nothing. The global object is a target too, from when this is
// built on: it has the methods as its own, and they are meant for it when they have no receiver.

const { add: addTargetSlots, has: isEventTarget, of: targetSlots } = newSlots('EventTarget');

// initializeEventTarget gives an object an event listener list.
function initializeEventTarget(object) {
  return addTargetSlots(object, { __proto__: null, listeners: newList() });
}

// https://dom.spec.whatwg.org/#concept-flatten-options
function flattenOptions(options) {
  return isObject(options) ? !!options.capture : !!options;
}

function toListener(callback, what) {
  if (callback === undefined || callback === null) return null;
  if (!isObject(callback)) throw new TypeError(`${what}: the listener must be a function or an object`);
  return callback;
}

// findListener returns the index of a listener in a list, -1 when it is not there.
function findListener(listeners, type, callback, capture) {
  for (let i = 0; i < listeners.length; i++) {
    const listener = listeners[i];
    if (listener.type === type && listener.callback === callback && listener.capture === capture) return i;
  }
  return -1;
}

// https://dom.spec.whatwg.org/#remove-an-event-listener
// The list is copied, because one that is being gone through stays as it is.
function removeListener(slots, listener) {
  if (listener.removed) return;
  listener.removed = true;
  const rest = newList();
  const { listeners } = slots;
  for (let i = 0; i < listeners.length; i++) {
    if (listeners[i] !== listener) rest[rest.length] = listeners[i];
  }
  slots.listeners = rest;
}

// A list that is being gone through may grow: only the listeners that were there are called.
function addListener(slots, listener) {
  const { listeners } = slots;
  listeners[listeners.length] = listener;
}

// https://dom.spec.whatwg.org/#add-an-event-listener
function addEventListener(slots, listener) {
  const { signal } = listener;
  if (signal !== undefined && isAborted(signal)) return;
  if (listener.callback === null) return;
  if (findListener(slots.listeners, listener.type, listener.callback, listener.capture) >= 0) return;
  addListener(slots, listener);
  if (signal !== undefined) addAbortAlgorithm(signal, () => removeListener(slots, listener));
}

// https://dom.spec.whatwg.org/#concept-event-dispatch, for a target without parents.
function dispatchEvent(event, target) {
  const slots = eventSlots(event);
  slots.dispatching = true;
  slots.target = slots.currentTarget = target;
  slots.phase = PHASE_AT_TARGET;
  invokeListeners(event, slots, target, true);
  invokeListeners(event, slots, target, false);
  slots.phase = PHASE_NONE;
  slots.currentTarget = null;
  slots.dispatching = slots.stopPropagation = slots.stopImmediatePropagation = false;
  return !slots.canceled;
}

// https://dom.spec.whatwg.org/#concept-event-listener-invoke
function invokeListeners(event, slots, target, capture) {
  if (slots.stopPropagation) return;
  const holder = targetSlots(target);
  const { listeners } = holder;
  const count = listeners.length;
  for (let i = 0; i < count && !slots.stopImmediatePropagation; i++) {
    const listener = listeners[i];
    if (listener.removed || listener.type !== slots.type || listener.capture !== capture) continue;
    if (listener.once) removeListener(holder, listener);
    if (listener.passive) slots.inPassiveListener = true;
    try {
      callListener(listener.callback, target, event);
    } catch (error) {
      reportException(error, 'an event listener');
    }
    slots.inPassiveListener = false;
  }
}

// https://webidl.spec.whatwg.org/#call-a-user-objects-operation
function callListener(callback, target, event) {
  if (typeof callback === 'function') {
    ReflectApply(callback, target, [event]);
    return;
  }
  const { handleEvent } = callback;
  if (typeof handleEvent !== 'function') throw new TypeError('an event listener has no function handleEvent');
  ReflectApply(handleEvent, callback, [event]);
}

// receiverSlots returns the slots of what a method was called on.
// https://webidl.spec.whatwg.org/#js-operations
function receiverSlots(receiver, what) {
  return targetSlots(receiver === undefined || receiver === null ? globalObject : receiver, what);
}

class EventTarget {
  constructor() {
    initializeEventTarget(this);
  }

  addEventListener(type, callback, options = undefined) {
    const slots = receiverSlots(this, 'EventTarget.addEventListener');
    requireArguments(arguments.length, 2, 'EventTarget.addEventListener');
    const listener = {
      __proto__: null, type: toDOMString(type, 'EventTarget.addEventListener: the type'),
      callback: toListener(callback, 'EventTarget.addEventListener'),
      capture: flattenOptions(options), passive: false, once: false, signal: undefined, removed: false,
    };
    if (isObject(options)) {
      listener.once = !!options.once;
      listener.passive = !!options.passive;
      const { signal } = options;
      if (signal !== undefined) {
        if (!isAbortSignal(signal)) throw new TypeError('EventTarget.addEventListener: the signal is not an AbortSignal');
        listener.signal = signal;
      }
    }
    addEventListener(slots, listener);
  }

  removeEventListener(type, callback, options = undefined) {
    const slots = receiverSlots(this, 'EventTarget.removeEventListener');
    requireArguments(arguments.length, 2, 'EventTarget.removeEventListener');
    const name = toDOMString(type, 'EventTarget.removeEventListener: the type');
    const listener = toListener(callback, 'EventTarget.removeEventListener');
    const index = findListener(slots.listeners, name, listener, flattenOptions(options));
    if (index >= 0) removeListener(slots, slots.listeners[index]);
  }

  dispatchEvent(event) {
    receiverSlots(this, 'EventTarget.dispatchEvent');
    requireArguments(arguments.length, 1, 'EventTarget.dispatchEvent');
    if (!isEvent(event)) throw new TypeError('EventTarget.dispatchEvent: the argument is not an Event');
    const slots = eventSlots(event);
    if (slots.dispatching) {
      throw newDOMException('EventTarget.dispatchEvent: the event is being dispatched already', 'InvalidStateError');
    }
    slots.isTrusted = false;
    return dispatchEvent(event, this ?? globalObject);
  }
}

// defineEventHandler gives an interface an event handler attribute, such as onabort for
// the events of type abort. check throws unless a value is an instance; whenSet is told of
// one whose handler was set.
function defineEventHandler(constructor, type, check, whenSet = undefined) {
  const name = `on${type}`;
  const attribute = {
    get [name]() {
      check(this, name);
      const held = targetSlots(this)[name];
      return held === undefined ? null : held.handler;
    },
    set [name](value) {
      check(this, name);
      setEventHandler(targetSlots(this), name, type, isObject(value) ? value : null);
      if (whenSet !== undefined) whenSet(this);
    },
  };
  copyProperty(constructor.prototype, attribute, name);
}

// https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-attributes
function setEventHandler(slots, name, type, handler) {
  const held = slots[name];
  if (handler === null) {
    if (held === undefined) return;
    removeListener(slots, held.listener);
    slots[name] = undefined;
    return;
  }
  if (held !== undefined) {
    // The listener keeps the place that it has in the list.
    held.handler = handler;
    return;
  }
  const made = { __proto__: null, handler, listener: undefined };
  made.listener = {
    __proto__: null, type, capture: false, passive: false, once: false, signal: undefined, removed: false,
    callback(event) {
      if (typeof made.handler === 'function') callHandler(made.handler, this, event);
    },
  };
  slots[name] = made;
  addListener(slots, made.listener);
}

// https://html.spec.whatwg.org/multipage/webappapis.html#the-event-handler-processing-algorithm
function callHandler(handler, target, event) {
  const slots = eventSlots(event);
  if (target === globalObject && slots.type === 'error' && isBuilt('error_events') && part('error_events').isErrorEvent(event)) {
    const { message, filename, lineno, colno, error } = part('error_events').errorEventSlots(event);
    if (ReflectApply(handler, target, [message, filename, lineno, colno, error]) === true) setCanceled(slots);
  } else if (ReflectApply(handler, target, [event]) === false) {
    setCanceled(slots);
  }
}

defineInterface(EventTarget, 'EventTarget');
initializeEventTarget(globalObject);

// hasGlobalListener reports whether an event of that type would find a listener.
function hasGlobalListener(type) {
  const { listeners } = targetSlots(globalObject);
  for (let i = 0; i < listeners.length; i++) if (listeners[i].type === type) return true;
  return false;
}

// The event handlers of the global object, by their types.
function globalHandler(type) {
  const held = targetSlots(globalObject)[`on${type}`];
  return held === undefined ? null : held.handler;
}

function setGlobalHandler(type, value) {
  setEventHandler(targetSlots(globalObject), `on${type}`, type, isObject(value) ? value : null);
}

exports.EventTarget = EventTarget;
exports.addEventListener = EventTarget.prototype.addEventListener;
exports.removeEventListener = EventTarget.prototype.removeEventListener;
exports.hasGlobalListener = hasGlobalListener;
exports.globalHandler = globalHandler;
exports.setGlobalHandler = setGlobalHandler;
exports.initializeEventTarget = initializeEventTarget;
exports.defineEventHandler = defineEventHandler;
exports.dispatchTo = dispatchEvent;
exports.dispatchEvent = EventTarget.prototype.dispatchEvent;
