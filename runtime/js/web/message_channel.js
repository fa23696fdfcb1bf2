// MessageChannel and MessagePort, within one program.
// https://html.spec.whatwg.org/multipage/web-messaging.html#channel-messaging
//
// Both ends are in the same isolate, so a message is cloned as a whole when it is posted.
// Each is delivered in a task of its own: a timer of the runtime's without delay. A port
// whose messages nobody can send keeps nothing alive.

const { add: addPortSlots, has: isMessagePort, of: portSlots } = newSlots('MessagePort');

// A port: {object, other: the slots of the port it is entangled with, queue: messages that wait,
// enabled, detached}. A message is {data, ports}, or {closing} for the end of the other port.
function newPort() {
  const object = initializeEventTarget({ __proto__: MessagePort.prototype });
  const slots = { __proto__: null, object, other: undefined, queue: newQueue(), enabled: false, detached: false };
  addPortSlots(object, slots);
  return slots;
}

function entangle(first, second) {
  first.other = second;
  second.other = first;
}

// The ports at which a message is to be delivered, in order, one for each message.
const deliveries = newQueue();
let isPumping = false;

// deliver makes the first message of the queue of a port a task.
function deliver(port) {
  addToQueue(deliveries, port);
  if (isPumping) return;
  startInternalTimer('MessagePort.postMessage', 0, pump);
  isPumping = true;
}

function pump() {
  const port = takeFromQueue(deliveries);
  isPumping = false;
  if (queueSize(deliveries) > 0) {
    // The timer that has just fired has left its place to this one.
    startInternalTimer('MessagePort.postMessage', 0, pump);
    isPumping = true;
  }
  takeMessage(port);
}

// takeMessage fires the event for the first message that waits at a port.
function takeMessage(port) {
  if (queueSize(port.queue) === 0 || port.detached) return;
  const message = takeFromQueue(port.queue);
  const event = message.closing ? newTrustedEvent('close') : newMessageEvent(message.data, message.ports);
  dispatchTo(event, port.object);
}

function enable(port) {
  if (port.enabled || port.detached) return;
  port.enabled = true;
  const count = queueSize(port.queue);
  for (let i = 0; i < count; i++) deliver(port);
}

function send(port, message) {
  addToQueue(port.queue, message);
  if (port.enabled) deliver(port);
}

// https://html.spec.whatwg.org/multipage/web-messaging.html#message-port-post-message-steps
function postMessage(port, message, transfer) {
  const { other } = port;
  let isDoomed = false;
  for (let i = 0; i < transfer.length; i++) {
    if (transfer[i] === port.object) throw newDOMException('MessagePort.postMessage: a port cannot be sent through itself', 'DataCloneError');
    if (other !== undefined && transfer[i] === other.object) isDoomed = true;
  }
  const { value, received } = part('structured_clone').cloneWithTransfer(message, transfer);
  if (other === undefined || isDoomed) return;
  const ports = newList();
  for (let i = 0; i < received.length; i++) if (isMessagePort(received[i])) ports[ports.length] = received[i];
  send(other, { __proto__: null, data: value, ports: ObjectSetPrototypeOf(ports, ArrayPrototype), closing: false });
}

// toTransfer converts the second argument of postMessage: a sequence, or a dictionary with one.
function toTransfer(options) {
  const what = 'MessagePort.postMessage: transfer';
  const toObject = (value, which) => {
    if (!isObject(value)) throw new TypeError(`${which} is not an object`);
    return value;
  };
  const given = toDictionaryObject(options, what);
  if (given === undefined) return newList();
  const method = given[SymbolIterator];
  if (method !== undefined && method !== null) return sequenceFrom(given, method, what, toObject);
  const { transfer } = given;
  return transfer === undefined ? newList() : toSequence(transfer, what, toObject);
}

class MessagePort {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  postMessage(message, options = undefined) {
    const port = portSlots(this, 'MessagePort.postMessage');
    requireArguments(arguments.length, 1, 'MessagePort.postMessage');
    postMessage(port, message, toTransfer(options));
  }

  start() {
    enable(portSlots(this, 'MessagePort.start'));
  }

  // https://html.spec.whatwg.org/multipage/web-messaging.html#dom-messageport-close
  close() {
    const port = portSlots(this, 'MessagePort.close');
    const { other } = port;
    port.detached = true;
    port.other = undefined;
    if (other === undefined) return;
    other.other = undefined;
    send(other, { __proto__: null, closing: true });
  }
}

class MessageChannel {
  #ports;

  constructor() {
    const first = newPort();
    const second = newPort();
    entangle(first, second);
    this.#ports = { __proto__: null, first: first.object, second: second.object };
  }

  get port1() {
    if (!isObject(this) || !(#ports in this)) throw illegalInvocation('MessageChannel.port1');
    return this.#ports.first;
  }

  get port2() {
    if (!isObject(this) || !(#ports in this)) throw illegalInvocation('MessageChannel.port2');
    return this.#ports.second;
  }
}

defineEventHandler(MessagePort, 'message', portSlots, (object) => enable(portSlots(object)));
defineEventHandler(MessagePort, 'messageerror', portSlots);
defineEventHandler(MessagePort, 'close', portSlots);
defineInterface(MessagePort, 'MessagePort');
inheritInterface(MessagePort, EventTarget);
defineInterface(MessageChannel, 'MessageChannel');
definePlatformKind(MessagePort, 'MessagePort', {
  __proto__: null, has: isMessagePort, describe: (value) => [{ 0: 'active', 1: !portSlots(value).detached }],
  // https://html.spec.whatwg.org/multipage/web-messaging.html#message-ports:transfer-steps
  transfer: (value) => {
    const port = portSlots(value);
    port.detached = true;
    const data = { __proto__: null, queue: port.queue, other: port.other };
    port.queue = newQueue();
    port.other = undefined;
    if (data.other !== undefined) data.other.other = undefined;
    return data;
  },
  receive: ({ queue, other }) => {
    const port = newPort();
    port.queue = queue;
    if (other !== undefined) entangle(port, other);
    return port.object;
  },
  isDetached: (value) => portSlots(value).detached,
});

exports.MessagePort = MessagePort;
exports.MessageChannel = MessageChannel;
