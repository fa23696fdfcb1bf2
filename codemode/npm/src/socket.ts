// The WebSocket: the platform's own where it can reach the server, else that of the package ws, which is the one for
// unix sockets, certificates and platforms that have none.

/** What is needed of a WebSocket, whoever's it is. */
export interface Socket {
  send(text: string): void;
  close(code?: number): void;
  /** Lets the process end while nothing runs, or not. */
  hold(busy: boolean): void;
}

export interface SocketEvents {
  message(text: string): void;
  close(reason: string): void;
}

export interface SocketOptions {
  url: string;
  token?: string;
  /** Of node:tls: ca, cert, key and others. They need the package ws. */
  tls?: Record<string, unknown>;
}

const PROTOCOL = 'isogate';
const PATH = '/v1/connect';

/** Opens a WebSocket. It rejects when none is there in time, the server cannot be reached or refuses the caller. */
export async function openSocket(options: SocketOptions, events: SocketEvents, timeoutMs: number): Promise<Socket> {
  const address = addressOf(options.url);
  const needsOwn = address.unix || options.tls !== undefined || typeof globalThis.WebSocket !== 'function';
  return needsOwn ? await openOwn(address.url, options, events, timeoutMs) : await openPlatforms(address.url, options, events, timeoutMs);
}

/** Turns what a user writes into the URL of a WebSocket. unix:/path is a unix socket. */
export function addressOf(url: string): { url: string; unix: boolean } {
  const unix = /^(?:ws\+)?unix:(?:\/\/)?(\/.*)$/.exec(url);
  if (unix !== null) {
    const path = unix[1] as string;
    if (/[:?#]/.test(path)) throw new TypeError(`the path of a unix socket cannot have ":", "?" or "#" in it: ${path}`);
    return { url: `ws+unix:${path}:${PATH}`, unix: true };
  }
  const parsed = new URL(url);
  const schemes: Record<string, string> = { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' };
  const scheme = schemes[parsed.protocol];
  if (scheme === undefined) throw new TypeError(`the URL of a server begins with unix:, ws:, wss:, http: or https:, not with ${parsed.protocol}`);
  const path = parsed.pathname === '/' ? PATH : parsed.pathname;
  return { url: `${scheme}//${parsed.host}${path}${parsed.search}`, unix: false };
}

async function openPlatforms(url: string, { token }: SocketOptions, events: SocketEvents, timeoutMs: number): Promise<Socket> {
  const protocols = token === undefined ? [PROTOCOL] : [PROTOCOL, `${PROTOCOL}.bearer.${token}`];
  const socket = new WebSocket(url, protocols);
  return await opened(timeoutMs, () => socket.close(), (resolve, reject) => {
    socket.onopen = () => resolve({ send: (text) => socket.send(text), close: (code) => socket.close(code), hold: () => {} });
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') events.message(data);
      else socket.close(1003);
    };
    socket.onerror = () => reject(new Error('the server cannot be reached, or refuses the caller'));
    socket.onclose = ({ code, reason }) => {
      const text = closeText(code, reason);
      reject(new Error(text));
      events.close(text);
    };
  });
}

// What is needed of the package ws, which need not be there when this is compiled.
interface OwnSocket {
  on(event: string, listener: (...args: never[]) => void): void;
  send(text: string): void;
  close(code?: number): void;
  terminate(): void;
}

async function openOwn(url: string, { token, tls }: SocketOptions, events: SocketEvents, timeoutMs: number): Promise<Socket> {
  const name = 'ws'; // out of sight of what would bundle it
  let Own: new (url: string, protocols: string[], options: object) => OwnSocket;
  try {
    ({ WebSocket: Own } = (await import(name)) as { WebSocket: typeof Own });
  } catch (error) {
    throw new Error('this platform has no WebSocket for such a server: install the package ws', { cause: error });
  }
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new Own(url, [PROTOCOL], { ...tls, headers, perMessageDeflate: false, maxPayload: MAX_FRAME });
  let stream: { ref?(): void; unref?(): void } | undefined;
  return await opened(timeoutMs, () => socket.terminate(), (resolve, reject) => {
    socket.on('upgrade', (response: { socket: typeof stream }) => { stream = response.socket; });
    socket.on('open', () => resolve({
      send: (text) => socket.send(text),
      close: (code) => socket.close(code),
      hold: (busy) => (busy ? stream?.ref?.() : stream?.unref?.()),
    }));
    socket.on('message', (data: { toString(): string }, isBinary: boolean) => {
      if (isBinary) socket.close(1003);
      else events.message(data.toString());
    });
    socket.on('unexpected-response', (_request: unknown, response: { statusCode: number; resume(): void }) => {
      response.resume();
      socket.terminate();
      reject(new Unauthorized(`the server answered with the status ${response.statusCode}`, response.statusCode === 401));
    });
    socket.on('error', (error: Error) => reject(error));
    socket.on('close', (code: number, reason: { toString(): string }) => {
      const text = closeText(code, reason.toString());
      reject(new Error(text));
      events.close(text);
    });
  });
}

/** The longest message that this side takes, in bytes. */
export const MAX_FRAME = 64 * 1024 * 1024;

/** Says that the server was reached and did not let the caller in. */
export class Unauthorized extends Error {
  constructor(message: string, readonly isUnauthorized: boolean) {
    super(message);
  }
}

function opened(
  timeoutMs: number, giveUp: () => void, start: (resolve: (socket: Socket) => void, reject: (error: Error) => void) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the server did not answer within ${timeoutMs} ms`));
      giveUp();
    }, timeoutMs);
    const settled = <T>(settle: (value: T) => void) => (value: T): void => {
      clearTimeout(timer);
      settle(value);
    };
    start(settled(resolve), settled(reject));
  });
}

function closeText(code: number, reason: string): string {
  return reason === '' ? `the connection was closed with ${code}` : `the connection was closed with ${code}: ${reason}`;
}
