// META: script=resources/not-there.js
test(() => {}, 'cannot run');
