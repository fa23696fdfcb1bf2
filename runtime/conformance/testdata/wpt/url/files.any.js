promise_test(async () => {
  const { answer, text } = await (await fetch('resources/data.json')).json();
  assert_equals(`${answer} ${text}`, '42 gr\u00fcn');
}, 'JSON beside the test');
promise_test(async () => {
  const response = await fetch('/common/shared.js?query');
  assert_equals(`${response.status} ${response.ok} ${(await response.text()).includes('sharedByAll')}`, '200 true true');
}, 'a path from the top');
promise_test(async () => {
  const bytes = new Uint8Array(await (await fetch('resources/data.json')).arrayBuffer());
  assert_equals(bytes[0], 0x7b);
}, 'bytes');
for (const url of ['resources/none.json', '../../../main.go', '/../../main.go', 'file:///etc/hostname', 'http://elsewhere.test/x', 'link', 'resources']) {
  promise_test(async () => {
    const response = await fetch(url);
    assert_equals(`${response.status} ${await response.text()}`, '404 ');
  }, `nothing at ${url}`);
}
