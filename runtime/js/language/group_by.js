// Grouping: Object.groupBy and Map.groupBy.
// ECMA-262, section 7.3.35, https://tc39.es/ecma262/#sec-groupby

{
  // groupBy returns a map from each key to the list of its values, in the order in which
  // the keys came first.
  const groupBy = (items, callback, coerce) => {
    requireObjectCoercible(items, 'groupBy');
    requireCallable(callback, 'The callback');
    const groups = new SafeMap();
    eachValue(items, (value, i) => {
      const key = coerce(callback(value, i));
      let list = groups.get(key);
      if (list === undefined) groups.set(key, (list = newList()));
      list[list.length] = value;
    });
    return groups;
  };

  // eachGroup calls visit with each key and the array of its values.
  const eachGroup = (groups, visit) => {
    const entries = MapPrototypeEntries(groups);
    for (let step = MapIteratorPrototypeNext(entries); !step.done; step = MapIteratorPrototypeNext(entries)) {
      visit(step.value[0], arrayFromList(step.value[1]));
    }
  };

  exports.objectFunctions = {
    groupBy(items, callback) {
      const result = ObjectCreate(null);
      eachGroup(groupBy(items, callback, toPropertyKey), (key, values) => {
        result[key] = values;
      });
      return result;
    },
  };

  exports.mapFunctions = {
    groupBy(items, callback) {
      const result = new Map();
      eachGroup(groupBy(items, callback, canonicalKey), (key, values) => MapPrototypeSet(result, key, values));
      return result;
    },
  };
}
