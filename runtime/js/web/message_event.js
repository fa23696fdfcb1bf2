// MessageEvent. https://html.spec.whatwg.org/multipage/comms.html#the-messageevent-interface

const {
  Event, EventTarget, constructEvent, initializeEvent, newEventSlots, newTrustedEvent, reinitializeEvent, describeEvent,
  initializeEventTarget, defineEventHandler, dispatchTo,
} = part('events');

const { add: addMessageSlots, has: isMessageEvent, of: messageSlots } = newSlots('MessageEvent');

function toPort(value, what) {
  if (!isMessagePort(value)) throw new TypeError(`${what} is not a MessagePort`);
  return value;
}

// toSource converts MessageEventSource?, of which there are ports only.
function toSource(value, what) {
  return value === undefined || value === null ? null : toPort(value, what);
}

function toPorts(value, what) {
  const ports = toSequence(value, what, toPort);
  return ObjectFreeze(ObjectSetPrototypeOf(ports, ArrayPrototype));
}

function newMessageSlots() {
  return { __proto__: null, data: null, origin: '', lastEventId: '', source: null, ports: ObjectFreeze([]) };
}

// newMessageEvent makes the event for what has arrived at a port.
function newMessageEvent(data, ports) {
  const event = initializeEvent({ __proto__: MessageEvent.prototype }, newEventSlots('message', false, false, false, true));
  const slots = newMessageSlots();
  slots.data = data;
  slots.ports = ObjectFreeze(ports);
  return addMessageSlots(event, slots);
}

class MessageEvent {
  constructor(type, eventInitDict = undefined) {
    requireArguments(arguments.length, 1, 'MessageEvent');
    const init = constructEvent(this, toDOMString(type, 'MessageEvent: the type'), eventInitDict, 'MessageEvent');
    const slots = newMessageSlots();
    if (init !== undefined) {
      const { data } = init;
      if (data !== undefined) slots.data = data;
      const { lastEventId } = init;
      if (lastEventId !== undefined) slots.lastEventId = toDOMString(lastEventId, 'MessageEvent: lastEventId');
      const { origin } = init;
      if (origin !== undefined) slots.origin = toUSVString(origin, 'MessageEvent: the origin');
      const { ports } = init;
      if (ports !== undefined) slots.ports = toPorts(ports, 'MessageEvent: ports');
      slots.source = toSource(init.source, 'MessageEvent: the source');
    }
    addMessageSlots(this, slots);
  }

  get data() {
    return messageSlots(this, 'MessageEvent.data').data;
  }

  get origin() {
    return messageSlots(this, 'MessageEvent.origin').origin;
  }

  get lastEventId() {
    return messageSlots(this, 'MessageEvent.lastEventId').lastEventId;
  }

  get source() {
    return messageSlots(this, 'MessageEvent.source').source;
  }

  get ports() {
    return messageSlots(this, 'MessageEvent.ports').ports;
  }

  initMessageEvent(
    type, bubbles = false, cancelable = false, data = null, origin = '', lastEventId = '', source = null, ports = undefined) {
    const what = 'MessageEvent.initMessageEvent';
    const slots = messageSlots(this, what);
    requireArguments(arguments.length, 1, what);
    const given = {
      __proto__: null, type: toDOMString(type, `${what}: the type`), bubbles: !!bubbles, cancelable: !!cancelable, data,
      origin: toUSVString(origin, `${what}: the origin`), lastEventId: toDOMString(lastEventId, `${what}: lastEventId`),
      source: toSource(source, `${what}: the source`),
      ports: ports === undefined ? ObjectFreeze([]) : toPorts(ports, `${what}: ports`),
    };
    if (!reinitializeEvent(this, given.type, given.bubbles, given.cancelable)) return;
    slots.data = given.data;
    slots.origin = given.origin;
    slots.lastEventId = given.lastEventId;
    slots.source = given.source;
    slots.ports = given.ports;
  }
}

defineInterface(MessageEvent, 'MessageEvent');
inheritInterface(MessageEvent, Event);
definePlatformKind(MessageEvent, 'MessageEvent', {
  __proto__: null, has: isMessageEvent, unforgeable: 'isTrusted',
  describe: (value) => {
    const list = ObjectSetPrototypeOf(describeEvent(value), null);
    list[list.length] = { 0: 'data', 1: messageSlots(value).data };
    return list;
  },
});

exports.MessageEvent = MessageEvent;
