// META: title=What the head of a test says
// META: script=/common/shared.js
// META: script=resources/near.js
// META: variant=
// META: variant=?1-10
// META: variant=#part
'use strict';

test(() => assert_equals(META_TITLE, 'What the head of a test says'), 'the title');
test(() => assert_equals(near, 'shared and near'), 'the scripts, in order');
test(() => assert_equals((function () { return this; })(), undefined), 'directives are directives');
test(() => assert_equals(`${location.pathname} ${self === globalThis}`, '/url/meta.any.js true'), 'location and self');
test(() => assert_equals(['', '?1-10'].includes(location.search) && ['', '#part'].includes(location.hash), true), 'the variant');
test(() => assert_equals(location.search, '?1-10'), 'only in one variant');
