/*---
title: the static import of a built-in of some host
source: E21
form: module
expect: {fault: module_not_found, specifier: "node:fs", importer: program}
---*/
import fs from "node:fs";
export default fs.readFileSync("/etc/passwd", "utf8");
