// The real package. Its root imports cloudflare:workers, which plain Node has not: a hook stands in for it, with
// what the root takes from there.
import { register } from 'node:module';

const stub = 'export class RpcTarget {} export class WorkerEntrypoint {} export class DurableObject {} export const env = {};';
const hook = `
  export async function resolve(specifier, context, next) {
    if (specifier === 'cloudflare:workers') return { url: 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(stub))}, shortCircuit: true };
    return next(specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

export const root = await import('@cloudflare/codemode');
export const { normalizeCode, sanitizeToolName, runCode, resolveProvider } = root;
export const ai = await import('@cloudflare/codemode/ai');
