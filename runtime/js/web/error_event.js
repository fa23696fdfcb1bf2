// ErrorEvent and PromiseRejectionEvent.
// https://html.spec.whatwg.org/multipage/webappapis.html#the-errorevent-interface
// https://html.spec.whatwg.org/multipage/webappapis.html#the-promiserejectionevent-interface

const { Event, constructEvent, initializeEvent, newEventSlots, describeEvent, hasGlobalListener, dispatchTo } = part('events');

const { add: addErrorSlots, has: isErrorEvent, of: errorSlots } = newSlots('ErrorEvent');
const { add: addRejectionSlots, has: isRejectionEvent, of: rejectionSlots } = newSlots('PromiseRejectionEvent');

function newErrorSlots() {
  return { __proto__: null, message: '', filename: '', lineno: 0, colno: 0, error: undefined };
}

class ErrorEvent {
  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'ErrorEvent');
    const init = constructEvent(this, toDOMString(type, 'ErrorEvent: the type'), eventInitDict, 'ErrorEvent');
    const slots = newErrorSlots();
    if (init !== undefined) {
      const { colno } = init;
      if (colno !== undefined) slots.colno = toUnsignedLong(colno, 'ErrorEvent: colno');
      slots.error = init.error;
      const { filename } = init;
      if (filename !== undefined) slots.filename = toUSVString(filename, 'ErrorEvent: the filename');
      const { lineno } = init;
      if (lineno !== undefined) slots.lineno = toUnsignedLong(lineno, 'ErrorEvent: lineno');
      const { message } = init;
      if (message !== undefined) slots.message = toDOMString(message, 'ErrorEvent: the message');
    }
    addErrorSlots(this, slots);
  }

  get message() {
    return errorSlots(this, 'ErrorEvent.message').message;
  }

  get filename() {
    return errorSlots(this, 'ErrorEvent.filename').filename;
  }

  get lineno() {
    return errorSlots(this, 'ErrorEvent.lineno').lineno;
  }

  get colno() {
    return errorSlots(this, 'ErrorEvent.colno').colno;
  }

  get error() {
    return errorSlots(this, 'ErrorEvent.error').error;
  }
}

class PromiseRejectionEvent {
  constructor(type, eventInitDict) {
    const what = 'PromiseRejectionEvent';
    requireArguments(arguments.length, 2, what);
    const init = constructEvent(this, toDOMString(type, `${what}: the type`), eventInitDict, what);
    const promise = init === undefined ? undefined : init.promise;
    if (!isObject(promise)) throw new TypeError(`${what}: the promise is not an object`);
    addRejectionSlots(this, { __proto__: null, promise, reason: init.reason });
  }

  get promise() {
    return rejectionSlots(this, 'PromiseRejectionEvent.promise').promise;
  }

  get reason() {
    return rejectionSlots(this, 'PromiseRejectionEvent.reason').reason;
  }
}

defineInterface(ErrorEvent, 'ErrorEvent');
inheritInterface(ErrorEvent, Event);
defineInterface(PromiseRejectionEvent, 'PromiseRejectionEvent');
inheritInterface(PromiseRejectionEvent, Event);
definePlatformKind(ErrorEvent, 'ErrorEvent', {
  __proto__: null, has: isErrorEvent, unforgeable: 'isTrusted',
  describe: (value) => {
    const { message, error } = errorSlots(value);
    const list = ObjectSetPrototypeOf(describeEvent(value), null);
    list[list.length] = { 0: 'message', 1: message };
    list[list.length] = { 0: 'error', 1: error };
    return list;
  },
});
definePlatformKind(PromiseRejectionEvent, 'PromiseRejectionEvent', {
  __proto__: null, has: isRejectionEvent, unforgeable: 'isTrusted',
  describe: (value) => {
    const list = ObjectSetPrototypeOf(describeEvent(value), null);
    list[list.length] = { 0: 'reason', 1: rejectionSlots(value).reason };
    return list;
  },
});

exports.ErrorEvent = ErrorEvent;
exports.PromiseRejectionEvent = PromiseRejectionEvent;
exports.isErrorEvent = isErrorEvent;
exports.errorEventSlots = errorSlots;
