// What the global object is told of exceptions that nobody caught and of rejections that
// nobody handles. https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception
// https://html.spec.whatwg.org/multipage/webappapis.html#notify-about-rejected-promises

// fireError fires error at the global object and reports whether a listener has taken the
// exception for handled.
function fireError(error) {
  const event = initializeEvent({ __proto__: ErrorEvent.prototype }, newEventSlots('error', false, true, false, true));
  addErrorSlots(event, errorInformation(error));
  return !dispatchTo(event, globalObject);
}

// https://html.spec.whatwg.org/multipage/webappapis.html#extract-error
function errorInformation(error) {
  const slots = newErrorSlots();
  slots.error = error;
  if (!isError(error)) {
    slots.message = cut(`Uncaught ${inspectSafely(error)}`, limits.errorText);
    return slots;
  }
  const { name, message, stack } = describeError(error, limits.errorText);
  slots.message = `Uncaught ${headerOf(name, message)}`;
  if (stack !== undefined) addPosition(slots, stack);
  return slots;
}

// addPosition takes file, line and column from the first frame of a stack: "at f (file:1:2)"
// or "at file:1:2".
function addPosition(slots, stack) {
  const newline = StringPrototypeIndexOf(stack, '\n');
  let frame = newline < 0 ? stack : StringPrototypeSlice(stack, 0, newline);
  if (StringPrototypeCharCodeAt(frame, frame.length - 1) === 0x29) frame = StringPrototypeSlice(frame, 0, frame.length - 1);
  const beforeColumn = StringPrototypeLastIndexOf(frame, ':');
  const beforeLine = beforeColumn > 0 ? StringPrototypeLastIndexOf(frame, ':', beforeColumn - 1) : -1;
  const column = NumberParseInt(StringPrototypeSlice(frame, beforeColumn + 1), 10);
  const line = NumberParseInt(StringPrototypeSlice(frame, beforeLine + 1, beforeColumn), 10);
  if (beforeLine < 0 || !(line > 0) || !(column > 0)) return;
  slots.filename = fileOf(StringPrototypeSlice(frame, 0, beforeLine));
  slots.lineno = line;
  slots.colno = column;
}

// fileOf returns what is behind the parenthesis, or behind "at". Within the code of an eval it
// is behind where that was called: "at f (eval at g (file:1:2), <anonymous>".
function fileOf(frame) {
  const inside = StringPrototypeIndexOf(frame, ' (eval at ') >= 0 ? StringPrototypeLastIndexOf(frame, ', ') + 2 : 0;
  if (inside > 1) return StringPrototypeSlice(frame, inside);
  const open = StringPrototypeIndexOf(frame, ' (');
  if (open >= 0) return StringPrototypeSlice(frame, open + 2);
  const at = StringPrototypeIndexOf(frame, 'at ');
  return StringPrototypeSlice(frame, StringPrototypeStartsWith(StringPrototypeSlice(frame, at + 3), 'async ') ? at + 9 : at + 3);
}

// fireRejection fires unhandledrejection, which can be canceled, or rejectionhandled, and
// reports whether it was canceled.
function fireRejection(type, promise, reason) {
  const cancelable = type === 'unhandledrejection';
  const event = initializeEvent(
    { __proto__: PromiseRejectionEvent.prototype }, newEventSlots(type, false, cancelable, false, true));
  addRejectionSlots(event, { __proto__: null, promise, reason });
  return !dispatchTo(event, globalObject);
}

exports.fireError = fireError;
exports.fireRejection = fireRejection;
