test(() => assert_equals(typeof console.log, 'function'), 'console');
