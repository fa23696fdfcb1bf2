test(() => {}, 'not run by default');
