/*---
title: an import that fails in a module of the request names both
source: own
form: module
modules: {outer: "import 'inner'; export default 1"}
expect: {fault: module_not_found, specifier: inner, importer: outer}
---*/
import outer from "outer";
export default outer;
