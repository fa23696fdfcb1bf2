/*---
title: the error of a tool is an ordinary error of the program's realm, with a bare message
source: E05 I02
tools: [tools.fail, tools.reject, tools.panic]
forbid: [/srv/host/secret.go]
expect:
  value:
    - {error: true, name: Error, message: the tool failed, constructor: true, host: false}
    - {error: true, name: QuotaError, message: no more today, constructor: true, host: false}
    - {error: true, name: Error, message: true, constructor: true, host: false}
    - [E_QUOTA, 0]
---*/
async () => {
  const caught = async call => { try { await call() } catch (e) { return e } };
  const look = e => ({
    error: e instanceof Error, name: e.name, message: e.message, constructor: e.constructor.constructor === Function,
    host: /\.go|goroutine|runtime|0x/.test(e.message + e.stack),
  });
  const [fail, reject, panic] = [await caught(() => tools.fail()), await caught(() => tools.reject()), await caught(() => tools.panic())];
  const panicked = look(panic);
  // What a panicking tool says is the host's affair: some fixed text, not the panic's.
  panicked.message = panicked.message.length > 0 && !panicked.message.includes("secret.go");
  return [look(fail), look(reject), panicked, [reject.code, reject.left]];
}
