// Functions of the global object that are in a part with other things.
// https://html.spec.whatwg.org/multipage/webappapis.html#windoworworkerglobalscope-mixin

exports.functions = {
  atob(data) {
    requireArguments(arguments.length, 1, 'atob');
    return part('encoding').atob(data);
  },
  btoa(data) {
    requireArguments(arguments.length, 1, 'btoa');
    return part('encoding').btoa(data);
  },
  structuredClone(value, options = undefined) {
    requireArguments(arguments.length, 1, 'structuredClone');
    return part('structured_clone').structuredClone(value, options);
  },
};
