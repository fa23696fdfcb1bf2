// console.table: rows and columns of a collection, drawn as Node does.
// https://console.spec.whatwg.org/#table

const MAX_ROWS = 200;
const MAX_COLUMNS = 30;
const MAX_CELL = 200; // code units

// tableText returns the table of a collection, undefined when there is nothing
// to make a table of. properties, when an array, names the columns.
function tableText(data, properties) {
  if (typeof data !== 'object' || data === null) return undefined;
  const table = { heads: newList(), columns: new SafeMap(), rows: newList(), values: false, more: 0 };
  try {
    const brand = brandOf(data);
    if (brand === 'Map') {
      mapRows(table, data);
    } else {
      addHead(table, brand === 'Set' ? '(iteration index)' : '(index)');
      if (ArrayIsArray(properties)) nameColumns(table, properties);
      if (brand === 'Set') setRows(table, data, ArrayIsArray(properties));
      else objectRows(table, data, brand === 'Array', ArrayIsArray(properties));
    }
  } catch {
    // A proxy's trap threw: it shows as any object.
    return undefined;
  }
  if (table.values) addHead(table, 'Values');
  const text = drawTable(table);
  return table.more > 0 ? `${text}\n... ${table.more} more row${table.more > 1 ? 's' : ''}` : text;
}

// addHead adds a column and returns its position.
function addHead(table, title) {
  const at = table.heads.length;
  table.heads[at] = title;
  return at;
}

function nameColumns(table, properties) {
  for (let i = 0; i < properties.length && i < MAX_COLUMNS; i++) {
    const name = dataOf(properties, i);
    if (typeof name === 'string' && !table.columns.has(name)) table.columns.set(name, addHead(table, name));
  }
}

// addRow adds a row and returns it: a list of cells, and the one for the value
// of a row that is no object, which gets its column when all are known.
function addRow(table, index) {
  const row = { cells: newList(), value: undefined };
  row.cells[0] = index;
  table.rows[table.rows.length] = row;
  return row;
}

function cellText(value) {
  return cut(flattenLines(inspect(value, 0)), MAX_CELL);
}

// flattenLines puts a text on one line.
function flattenLines(text) {
  if (StringPrototypeIndexOf(text, '\n') < 0) return text;
  let out = '';
  let space = false;
  for (let i = 0; i < text.length && out.length <= MAX_CELL; i++) {
    const c = StringPrototypeSlice(text, i, i + 1);
    if (c === '\n' || c === ' ') {
      space = true;
    } else {
      out += space && out !== '' ? ` ${c}` : c;
      space = false;
    }
  }
  return out;
}

// fillRow puts the value of a row into its cells. named says that the columns
// are given and no others are wanted.
function fillRow(table, row, value, named) {
  if (isPrimitive(value) || typeof value === 'function') {
    row.value = cellText(value);
    table.values = true;
    return;
  }
  const keys = ReflectOwnKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== 'string') continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    let at = table.columns.get(key);
    if (at === undefined) {
      if (named || table.columns.size >= MAX_COLUMNS) continue;
      at = addHead(table, cut(key, MAX_CELL));
      table.columns.set(key, at);
    }
    row.cells[at] = ObjectHasOwn(descriptor, 'value') ? cellText(descriptor.value) : '[Getter]';
  }
}

function objectRows(table, data, isArray, named) {
  const keys = ReflectOwnKeys(data);
  let shown = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== 'string' || (isArray && !isIndex(key))) continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(data, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    if (shown === MAX_ROWS) {
      table.more = keys.length - i - (isArray ? 1 : 0); // the last key of an array is its length
      return;
    }
    shown++;
    const row = addRow(table, cut(key, MAX_CELL));
    if (ObjectHasOwn(descriptor, 'value')) {
      fillRow(table, row, descriptor.value, named);
    } else {
      row.value = '[Getter]';
      table.values = true;
    }
  }
}

function mapRows(table, map) {
  addHead(table, '(iteration index)');
  addHead(table, 'Key');
  addHead(table, 'Values');
  const entries = MapPrototypeEntries(map);
  let i = 0;
  for (let step = MapIteratorPrototypeNext(entries); !step.done; step = MapIteratorPrototypeNext(entries), i++) {
    if (i === MAX_ROWS) {
      table.more = MapPrototypeGetSize(map) - i;
      return;
    }
    const row = addRow(table, `${i}`);
    row.cells[1] = cellText(step.value[0]);
    row.cells[2] = cellText(step.value[1]);
  }
}

function setRows(table, set, named) {
  const values = SetPrototypeValues(set);
  let i = 0;
  for (let step = SetIteratorPrototypeNext(values); !step.done; step = SetIteratorPrototypeNext(values), i++) {
    if (i === MAX_ROWS) {
      table.more = SetPrototypeGetSize(set) - i;
      return;
    }
    fillRow(table, addRow(table, `${i}`), step.value, named);
  }
}

function drawTable(table) {
  const { heads, rows } = table;
  const columns = heads.length;
  if (table.values) {
    for (let i = 0; i < rows.length; i++) rows[i].cells[columns - 1] = rows[i].value;
  }
  const widths = newList();
  for (let c = 0; c < columns; c++) {
    widths[c] = heads[c].length;
    for (let r = 0; r < rows.length; r++) {
      const cell = rows[r].cells[c];
      if (cell !== undefined && cell.length > widths[c]) widths[c] = cell.length;
    }
  }
  let out = drawRule(widths, '\u250c', '\u252c', '\u2510') + '\n' + drawRow(widths, heads) + '\n' +
    drawRule(widths, '\u251c', '\u253c', '\u2524') + '\n';
  for (let r = 0; r < rows.length; r++) out += drawRow(widths, rows[r].cells) + '\n';
  return out + drawRule(widths, '\u2514', '\u2534', '\u2518');
}

// The lines are box-drawing characters, as in:
//   ┌───┬───┐
//   │ a │ b │
//   ├───┼───┤
//   └───┴───┘
const HORIZONTAL = '\u2500';
const VERTICAL = '\u2502';

function drawRule(widths, left, middle, right) {
  let out = left;
  for (let c = 0; c < widths.length; c++) {
    out += (c > 0 ? middle : '') + StringPrototypeRepeat(HORIZONTAL, widths[c] + 2);
  }
  return out + right;
}

function drawRow(widths, cells) {
  let out = VERTICAL;
  for (let c = 0; c < widths.length; c++) {
    out += ` ${StringPrototypePadEnd(cells[c] ?? '', widths[c])} ${VERTICAL}`;
  }
  return out;
}
