// Stacks: the text of an error's stack, without the runtime's own frames.
// The host installs prepareStack as V8's callback for it, so that no program ever
// holds a CallSite and Error.prepareStackTrace has no effect.
// https://v8.dev/docs/stack-trace-api

// The name of this script, which runtime.go gives it.
const RUNTIME_SCRIPT = 'isogate:runtime';

const FRAME = '\n    at ';

// prepareStack returns the stack of error as V8 would write it.
function prepareStack(error, sites) {
  let stack = '<error>';
  try {
    stack = ErrorPrototypeToString(error);
  } catch {
    // A getter of the guest's threw; V8 shows the same text.
  }
  try {
    for (let i = 0; i < sites.length; i++) {
      const frame = frameText(sites[i]);
      if (frame !== '') stack += FRAME + frame;
    }
  } catch {
    // The stack ran out: what is there is enough.
  }
  return stack;
}

// frameText returns the text of one frame, empty for a frame of the runtime.
// CallSite and its prototype are out of the guest's reach, so asking them is safe.
function frameText(site) {
  const file = site.getFileName();
  //gate:protects stack-traces-clean
  if (file === RUNTIME_SCRIPT) return '';
  const text = site.toString();
  // A comment in a program can name it otherwise (sourceURL); only the host's
  // name counts.
  const claimed = site.getScriptNameOrSourceURL();
  //gate:protects source-not-spliced
  //gate:equivalent removed what follows then puts the same name in its own place
  if (typeof file !== 'string' || typeof claimed !== 'string' || claimed === file) return text;
  const position = `:${site.getLineNumber()}:${site.getColumnNumber()}`;
  const at = text.length - position.length - claimed.length;
  const inParentheses = StringPrototypeSlice(text, text.length - 1) === ')';
  const start = inParentheses ? at - 1 : at;
  if (start < 0) return file + position;
  return StringPrototypeSlice(text, 0, start) + file + position + (inParentheses ? ')' : '');
}

// framesOf returns the frames of a stack, without the error's own text in front,
// empty when it has none.
function framesOf(stack, header) {
  const from = StringPrototypeStartsWith(stack, header) ? header.length : 0;
  const at = StringPrototypeIndexOf(stack, FRAME, from);
  return at < 0 ? '' : StringPrototypeSlice(stack, at + 1);
}

// currentFrames returns the frames of the caller of the function below.
function currentFrames(below) {
  const holder = { __proto__: null };
  ErrorCaptureStackTrace(holder, below);
  return typeof holder.stack === 'string' ? framesOf(holder.stack, '') : '';
}
