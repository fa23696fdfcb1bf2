// Encoding arrays. The walk they are part of is in codec_encode.js.
// The format is specified in the Go package protocol, value_codec.go.

// Long runs of plain primitives are quoted together, which is several times
// faster than one by one.
const MIN_RUN_ARRAY = 16; // elements of an array in which runs are looked for
const MAX_RUN = 256;
const MAX_RUN_STRING = 1024;

function encodeElements(array, depth) {
  const length = lengthOf(array);
  countNodes(length, depth);
  const run = length >= MIN_RUN_ARRAY ? newList() : undefined;
  let first = true; // whether nothing is between the brackets yet
  encodeText += '[';
  for (let i = 0; i < length; i++) {
    encodeKeys[depth] = i;
    const value = array[i];
    if (run !== undefined && isRunnable(value)) {
      run[run.length] = value;
      if (run.length < MAX_RUN) continue;
    }
    if (run !== undefined && run.length > 0) {
      encodeRun(run, first);
      first = false;
      if (isRunnable(value)) continue;
    }
    if (!first) encodeText += ',';
    first = false;
    if (value === undefined && !ObjectHasOwn(array, i)) encodeText += '{"$":"hole"}';
    else encodeValue(value, depth + 1);
    if (encodeText.length > ENCODE_CHUNK) flushText();
  }
  if (run !== undefined && run.length > 0) encodeRun(run, first);
  encodeText += ']';
}

// isRunnable reports whether the text of a value is what JSON.stringify makes of it.
function isRunnable(value) {
  switch (typeof value) {
    case 'number': return value - value === 0 && (value !== 0 || 1 / value > 0);
    case 'string': return value.length <= MAX_RUN_STRING;
    case 'boolean': return true;
    default: return value === null;
  }
}

// encodeRun adds a run of primitives and empties it. A list has no prototype, so
// JSON.stringify finds no toJSON.
function encodeRun(run, first) {
  const text = JSONStringify(run);
  if (!first) encodeText += ',';
  encodeText += StringPrototypeSlice(text, 1, text.length - 1);
  run.length = 0;
  if (encodeText.length > ENCODE_CHUNK) flushText();
}

// lengthOf returns the length of an array. A proxy may answer anything, also
// something whose conversion would run the guest's code.
function lengthOf(array) {
  const length = array.length;
  return typeof length === 'number' && length > 0 ? length : 0;
}
