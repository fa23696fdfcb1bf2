// META: global=serviceworker
test(() => {}, 'not for a global object of this kind');
