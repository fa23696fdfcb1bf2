// META: global=window,shadowrealm
test(() => {}, 'ends');
promise_test(() => new Promise(() => {}), 'never ends');
test(() => {}, 'waits');
