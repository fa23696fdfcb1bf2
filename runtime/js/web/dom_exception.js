// DOMException and QuotaExceededError.
// https://webidl.spec.whatwg.org/#idl-DOMException, https://webidl.spec.whatwg.org/#quotaexceedederror
//
// An instance is an error of the engine's, so that it has a stack, with the prototype
// changed and the slots put on it: what asks the engine whether something is an error
// (Error.isError) says yes.

const { add: addExceptionSlots, has: isDOMException, of: exceptionSlots } = newSlots('DOMException');
const { add: addQuotaSlots, has: isQuotaExceededError, of: quotaSlots } = newSlots('QuotaExceededError');

// https://webidl.spec.whatwg.org/#dfn-error-names-table: the names in the order of their
// codes, from 1; those that are out of use have none.
const LEGACY_NAMES = [
  'IndexSizeError', '', 'HierarchyRequestError', 'WrongDocumentError', 'InvalidCharacterError', '',
  'NoModificationAllowedError', 'NotFoundError', 'NotSupportedError', 'InUseAttributeError', 'InvalidStateError',
  'SyntaxError', 'InvalidModificationError', 'NamespaceError', 'InvalidAccessError', '', 'TypeMismatchError',
  'SecurityError', 'NetworkError', 'AbortError', 'URLMismatchError', 'QuotaExceededError', 'TimeoutError',
  'InvalidNodeTypeError', 'DataCloneError',
];

function legacyCode(name) {
  if (name === '') return 0;
  for (let i = 0; i < LEGACY_NAMES.length; i++) if (LEGACY_NAMES[i] === name) return i + 1;
  return 0;
}

// newException makes the error that becomes an instance of the constructor.
function newException(newTarget, fallback, message, name) {
  const { prototype } = newTarget;
  const error = new Error();
  ObjectSetPrototypeOf(error, isObject(prototype) ? prototype : fallback);
  return addExceptionSlots(error, { __proto__: null, message, name, code: legacyCode(name) });
}

class DOMException {
  constructor(message = '', name = 'Error') {
    const text = toDOMString(message, 'DOMException: the message');
    return newException(new.target, DOMException.prototype, text, toDOMString(name, 'DOMException: the name'));
  }

  get name() {
    return exceptionSlots(this, 'DOMException.name').name;
  }

  get message() {
    return exceptionSlots(this, 'DOMException.message').message;
  }

  get code() {
    return exceptionSlots(this, 'DOMException.code').code;
  }
}

class QuotaExceededError {
  constructor(message = '', options = undefined) {
    const text = toDOMString(message, 'QuotaExceededError: the message');
    const given = toDictionaryObject(options, 'QuotaExceededError: the options');
    const quota = optionalDouble(given, 'quota');
    const requested = optionalDouble(given, 'requested');
    if (quota < 0) throw new RangeError('QuotaExceededError: the quota is negative');
    if (requested < 0) throw new RangeError('QuotaExceededError: what was requested is negative');
    if (quota !== null && requested !== null && requested < quota) {
      throw new RangeError('QuotaExceededError: what was requested is less than the quota');
    }
    const error = newException(new.target, QuotaExceededError.prototype, text, 'QuotaExceededError');
    return addQuotaSlots(error, { __proto__: null, quota, requested });
  }

  get quota() {
    return quotaSlots(this, 'QuotaExceededError.quota').quota;
  }

  get requested() {
    return quotaSlots(this, 'QuotaExceededError.requested').requested;
  }
}

function optionalDouble(given, name) {
  const value = given === undefined ? undefined : given[name];
  return value === undefined ? null : toDouble(value, `QuotaExceededError: ${name}`);
}

// serializeException and deserializeException carry an exception through structuredClone.
// https://webidl.spec.whatwg.org/#dom-domexception-domexception-serializable
function serializeException(value) {
  const { message, name } = exceptionSlots(value);
  const quota = isQuotaExceededError(value) ? quotaSlots(value) : undefined;
  const stack = dataOf(value, 'stack');
  return { __proto__: null, message, name, quota, stack: typeof stack === 'string' ? stack : undefined };
}

function deserializeException(data) {
  const { message, name, quota, stack } = data;
  let error;
  if (quota === undefined) {
    error = newException(DOMException, DOMException.prototype, message, name);
  } else {
    error = newException(QuotaExceededError, QuotaExceededError.prototype, message, name);
    addQuotaSlots(error, { __proto__: null, quota: quota.quota, requested: quota.requested });
  }
  if (stack !== undefined) hidden(error, 'stack', stack);
  return error;
}

defineInterface(DOMException, 'DOMException');
ObjectSetPrototypeOf(DOMException.prototype, ErrorPrototype);
defineConstants(DOMException, {
  __proto__: null,
  INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5,
  NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9,
  INUSE_ATTRIBUTE_ERR: 10, INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14,
  INVALID_ACCESS_ERR: 15, VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20,
  URL_MISMATCH_ERR: 21, QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25,
});
defineInterface(QuotaExceededError, 'QuotaExceededError');
inheritInterface(QuotaExceededError, DOMException);

definePlatformKind(DOMException, 'DOMException', {
  __proto__: null, has: isDOMException, isError: true, serialize: serializeException, deserialize: deserializeException,
});

exports.DOMException = DOMException;
exports.QuotaExceededError = QuotaExceededError;
exports.exceptionSlots = exceptionSlots;
exports.isDOMException = isDOMException;
