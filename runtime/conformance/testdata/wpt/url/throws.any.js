test(() => {}, 'before the error');
missing.call();
test(() => {}, 'behind the error');
