// Error.isError: whether a value was made as an error, whatever its prototype is.
// ECMA-262, section 20.5.2.1, https://tc39.es/ecma262/#sec-error.iserror

installMethods(Error, {
  isError(value) {
    return isObject(value) && (native(KIND_OF, value) & KIND_NATIVE_ERROR) !== 0;
  },
});
