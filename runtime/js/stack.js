// Stacks: the text of an error's stack, without the runtime's own frames.
// The host installs prepareStack as V8's callback for it, so that no program ever
// holds a CallSite and Error.prepareStackTrace has no effect.
// https://v8.dev/docs/stack-trace-api
//
// Positions are those of the text as it was sent, also when it was translated, in
// whatever way a program or its host comes to see a stack. Frames of functions that
// a translation added are left out.

// The name of this script, which runtime.go gives it.
const RUNTIME_SCRIPT = 'isogate:runtime';

// The name of the program in stacks, which the host gives it.
const PROGRAM = 'program';

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
  if (typeof file !== 'string' || typeof claimed !== 'string') return site.isEval() ? withEvalPosition(text) : text;
  const translated = isTranslated(file);
  //gate:protects source-not-spliced
  //gate:equivalent removed what follows then puts the same name in its own place
  if (claimed === file && !translated) return text;
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  const position = `:${line}:${column}`;
  const shown = translated ? sentPosition(file, line, column) : position;
  if (shown === '') return '';
  const at = text.length - position.length - claimed.length;
  const inParentheses = StringPrototypeSlice(text, text.length - 1) === ')';
  const start = inParentheses ? at - 1 : at;
  if (start < 0) return file + shown;
  return StringPrototypeSlice(text, 0, start) + file + shown + (inParentheses ? ')' : '');
}

// The files that were asked about, and whether the host translated them. A file does
// not change once something of it runs.
const translatedFiles = new SafeMap();

function isTranslated(file) {
  let is = translatedFiles.get(file);
  if (is === undefined) {
    is = host(POSITION, file, 0, 0) === 1;
    translatedFiles.set(file, is);
  }
  return is;
}

const MAX_COLUMN = 2 ** 26;

// sentPosition returns :line:column in the text as it was sent, empty for a place
// that is in none of it.
function sentPosition(file, line, column) {
  const at = host(POSITION, file, line, column);
  if (at < 0) return '';
  if (at === 0) return `:${line}:${column}`;
  const sentColumn = at % MAX_COLUMN;
  return `:${(at - sentColumn) / MAX_COLUMN}:${sentColumn}`;
}

// withEvalPosition puts the position of the call of eval, the innermost one in a frame
// such as "f (eval at g (program:1:2), <anonymous>:3:4)", into the text as it was sent.
function withEvalPosition(text) {
  const end = StringPrototypeIndexOf(text, '), ');
  const columnAt = end < 0 ? -1 : StringPrototypeLastIndexOf(text, ':', end);
  const lineAt = columnAt < 0 ? -1 : StringPrototypeLastIndexOf(text, ':', columnAt - 1);
  const fileAt = lineAt < 0 ? -1 : StringPrototypeLastIndexOf(text, '(', lineAt);
  if (fileAt < 0) return text;
  const file = StringPrototypeSlice(text, fileAt + 1, lineAt);
  if (!isTranslated(file)) return text;
  const line = NumberParseInt(StringPrototypeSlice(text, lineAt + 1, columnAt), 10);
  const column = NumberParseInt(StringPrototypeSlice(text, columnAt + 1, end), 10);
  const shown = sentPosition(file, line, column);
  return StringPrototypeSlice(text, 0, lineAt) + shown + StringPrototypeSlice(text, end);
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
