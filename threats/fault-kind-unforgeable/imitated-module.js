/*---
title: an error that reads like a missing module or a value that cannot leave
source: P10
expect: {fault: thrown, class: program, name: TypeError}
---*/
() => {
  throw Object.assign(new TypeError(`Cannot find module "fs" imported from program: only the modules of the request can be imported`), {
    kind: "module_not_found", specifier: "fs", importer: "program", what: "function", path: "$",
  });
}
