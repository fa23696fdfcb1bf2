// References: what an encoded text needs when an object is met more than once,
// and the paths that say where in a value something is.
// The format is specified in the Go package protocol, value_codec.go.

// insertReferences returns the text of the finished walk with a definition
// around the first occurrence of each object that was met again, and with ids,
// which count from 1 in the order in which definitions open.
//
// All places are noted while the text is built. They come in ascending order,
// never two at the same offset, and definitions nest, so one pass is enough.
function insertReferences() {
  const ids = new SafeMap(); // from the index of an object met again to its id, 0 until it opens
  for (let i = 1; i < encodeReferences.length; i += 2) ids.set(encodeReferences[i], 0);
  let out = '';
  let done = 0; // how much of the text is in out
  let lastId = 0;
  let index = 0; // of the next object
  let reference = 0; // of the next reference
  const open = newList(); // ends of the definitions that are open
  let depth = 0;
  const copyTo = (offset) => {
    while (depth > 0 && open[depth - 1] <= offset) {
      depth--;
      out += StringPrototypeSlice(encodeDone, done, open[depth]) + '}';
      done = open[depth];
    }
    out += StringPrototypeSlice(encodeDone, done, offset);
    done = offset;
  };
  for (;;) {
    while (index < encodeStarts.length && ids.get(index) === undefined) index++;
    const start = index < encodeStarts.length ? encodeStarts[index] : encodeBase;
    const at = reference < encodeReferences.length ? encodeReferences[reference] : encodeBase;
    if (start === encodeBase && at === encodeBase) break;
    if (start < at) {
      copyTo(start);
      ids.set(index, ++lastId);
      out += `{"$":"def","id":${lastId},"v":`;
      open[depth++] = encodeEnds[index];
      index++;
    } else {
      copyTo(at);
      out += ids.get(encodeReferences[reference + 1]);
      reference += 2;
    }
  }
  copyTo(encodeBase);
  if (out.length > encodeLimit) tooLarge(out.length);
  return out;
}

// keyOf returns the key that JSON.stringify would give to the toJSON of the
// child of the container at depth - 1.
function keyOf(depth) {
  if (depth === 0) return '';
  const kind = encodeKinds[depth - 1];
  return kind === 'Object' || kind === 'Array' ? `${encodeKeys[depth - 1]}` : '';
}

// A longer path, in code units, is shown by its end.
const MAX_PATH = 1000;

// pathText says where the child being encoded of the container at depth - 1 is,
// from the root "$", as in $.items[3].cb.
function pathText(depth) {
  let path = '';
  for (let i = depth - 1; i >= 0; i--) {
    const key = encodeKeys[i];
    if (key === undefined) continue; // the container itself, before its first child
    let step = '';
    switch (encodeKinds[i]) {
      case 'Object': step = memberStep(key); break;
      case 'Map': step = `[${key % 2 === 0 ? 'key' : 'value'} ${(key - (key % 2)) / 2}]`; break;
      case 'Error': step = key; break;
      default: step = `[${key}]`;
    }
    if (path.length + step.length > MAX_PATH) return `$${ELLIPSIS}${path}`;
    path = step + path;
  }
  return `$${path}`;
}

// memberStep is the step of a path to a property.
function memberStep(key) {
  if (key.length <= 100 && part('inspection').isIdentifierName(key)) return `.${key}`;
  return `[${JSONStringify(cut(key, 100))}]`;
}
