// Included by name.
const included = 'included';
