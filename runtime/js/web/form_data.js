// FormData. https://xhr.spec.whatwg.org/#interface-formdata
//
// There is no form element to fill it from.

const { add: addFormDataSlots, has: isFormData, of: formDataSlots } = newSlots('FormData');

// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#create-an-entry
// given are the arguments: a name, and a text, or a blob and maybe the name of the file.
function createEntry(name, given, what) {
  const { isBlob, isFile, fileSlots, newFile } = part('blob');
  const value = given[1];
  if (!isBlob(value)) {
    if (given.length > 2) throw new TypeError(`${what}: the second argument is not a Blob`);
    return { 0: name, 1: toUSVString(value, `${what}: the value`) };
  }
  if (given.length > 2 && given[2] !== undefined) {
    const fileName = toUSVString(given[2], `${what}: the name of the file`);
    return { 0: name, 1: newFile(value, fileName, isFile(value) ? fileSlots(value).lastModified : DateNow()) };
  }
  return { 0: name, 1: isFile(value) ? value : newFile(value, 'blob', DateNow()) };
}

class FormData {
  constructor(form = undefined) {
    if (form !== undefined) throw new TypeError('FormData: the argument is not an HTMLFormElement, which does not exist here');
    addFormDataSlots(this, { __proto__: null, entries: newList() });
  }

  append(name, value) {
    const { entries } = formDataSlots(this, 'FormData.append');
    requireArguments(arguments.length, 2, 'FormData.append');
    const key = toUSVString(name, 'FormData.append: the name');
    entries[entries.length] = createEntry(key, arguments, 'FormData.append');
  }

  delete(name) {
    const slots = formDataSlots(this, 'FormData.delete');
    requireArguments(arguments.length, 1, 'FormData.delete');
    removeEntries(slots, toUSVString(name, 'FormData.delete: the name'));
  }

  get(name) {
    const { entries } = formDataSlots(this, 'FormData.get');
    requireArguments(arguments.length, 1, 'FormData.get');
    const key = toUSVString(name, 'FormData.get: the name');
    for (let i = 0; i < entries.length; i++) if (entries[i][0] === key) return entries[i][1];
    return null;
  }

  getAll(name) {
    const { entries } = formDataSlots(this, 'FormData.getAll');
    requireArguments(arguments.length, 1, 'FormData.getAll');
    const key = toUSVString(name, 'FormData.getAll: the name');
    const found = newList();
    for (let i = 0; i < entries.length; i++) if (entries[i][0] === key) found[found.length] = entries[i][1];
    return ObjectSetPrototypeOf(found, ArrayPrototype);
  }

  has(name) {
    const { entries } = formDataSlots(this, 'FormData.has');
    requireArguments(arguments.length, 1, 'FormData.has');
    const key = toUSVString(name, 'FormData.has: the name');
    for (let i = 0; i < entries.length; i++) if (entries[i][0] === key) return true;
    return false;
  }

  set(name, value) {
    const slots = formDataSlots(this, 'FormData.set');
    requireArguments(arguments.length, 2, 'FormData.set');
    const key = toUSVString(name, 'FormData.set: the name');
    const entry = createEntry(key, arguments, 'FormData.set');
    const { entries } = slots;
    for (let i = 0; i < entries.length; i++) {
      if (entries[i][0] !== key) continue;
      entries[i] = entry;
      removeEntries(slots, key, i + 1);
      return;
    }
    entries[entries.length] = entry;
  }
}

// removeEntries removes the entries with a name, from an index on.
function removeEntries(slots, name, from = 0) {
  const rest = newList();
  const { entries } = slots;
  for (let i = 0; i < entries.length; i++) {
    if (i < from || entries[i][0] !== name) rest[rest.length] = entries[i];
  }
  slots.entries = rest;
}

definePairIterable(FormData, 'FormData', (value, what) => formDataSlots(value, what).entries);
defineInterface(FormData, 'FormData');
definePlatformKind(FormData, 'FormData', {
  __proto__: null, has: isFormData, describe: (value) => formDataSlots(value).entries,
});

exports.FormData = FormData;
exports.isFormData = isFormData;
exports.formDataSlots = formDataSlots;
// newFormData makes a form of a list of entries {0: name, 1: a text or a file}.
exports.newFormData = (entries) => addFormDataSlots({ __proto__: FormData.prototype }, { __proto__: null, entries });
