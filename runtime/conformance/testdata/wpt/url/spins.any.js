// The engine does not listen to an interrupt in this call: the process is killed.
test(() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1), 'spins');
