import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { HeldDialog } from '../../../contracts/resources/room.ts';
import { Type, closed, nullable, type Static } from '../../../contracts/schema.ts';
import { bytesBesideStrings } from '../../platform/json-bytes.ts';
import { shape } from '../shape.ts';
import { frameReader } from './framing.ts';

const ofDialog = HeldDialog.properties;
/** A dialog that is held open, and the address of its page. */
const HostDialog = closed({
  ...{ id: ofDialog.id, type: ofDialog.type, message: ofDialog.message },
  ...{ default_text: ofDialog.default_text, url: Type.String({ maxLength: 65_536 }) },
});
export type HostDialog = Static<typeof HostDialog>;

/** Unrequested messages of the host: the web process is gone, a finger is about to touch, or a dialog was opened or answered. */
const HostEvent = Type.Union([
  closed({ event: Type.Literal('terminated') }),
  closed({ event: Type.Literal('aimed'), x: Type.Number(), y: Type.Number() }),
  closed({ event: Type.Literal('dialog'), dialog: nullable(HostDialog) }),
]);
const HostReply = Type.Union([
  closed({ id: Type.Integer(), result: Type.Unknown() }),
  closed({
    id: Type.Integer(),
    error: closed({ code: Type.String(), message: Type.String(), url: nullable(Type.String()) }),
  }),
]);
type HostReply = Static<typeof HostReply>;
type HostEvent = Static<typeof HostEvent>;
const isEvent = shape(HostEvent);
const isReply = shape(HostReply);

/** The host refused a command. `code` is the host's. The message may quote the page and is for the log only. */
export class HostError extends Error {
  readonly code: string;
  /** Address of the load that failed. */
  readonly url: string | null;

  constructor(code: string, message: string, url: string | null) {
    super(message);
    this.name = 'HostError';
    this.code = code;
    this.url = url;
  }
}

/** The host has exited or the channel has broken: the session has ended. */
export class HostGone extends Error {
  constructor() {
    super('The browser process is gone.');
    this.name = 'HostGone';
  }
}

/** Bytes of one message of a host: a reply may be a result of the maximal size. */
export const mostBytes = 33 * 1024 * 1024;
/** Of these, beside strings. */
const mostBeside = 4 * 1024 * 1024;
/** Maximal nesting of lists and objects. The schema of an extraction has fewer levels. */
const deepest = 200;

/**
 * The channel to the host of one browser. Its messages are untrusted: they quote pages, and a compromised browser
 * process can forge them.
 */
export interface HostChannel {
  /**
   * Sends a command and resolves with its reply. Rejects with `HostError`, with `HostGone`, or when the signal is
   * aborted; the host then cancels the command as far as it can.
   */
  send(command: string, input?: unknown, signal?: AbortSignal): Promise<unknown>;
  /** Number of commands of this name that the host has not answered, including those whose caller gave up. */
  unanswered(command: string): number;
  /**
   * Resolves once the host has answered every command whose caller gave up. Stays pending if the host does not answer.
   */
  idle(): Promise<void>;
  /** Called with each announced touch while people watch, in pixels of the screen. */
  onAim(listener: (point: { readonly x: number; readonly y: number }) => void): void;
  /** Called with each dialog that is held open, and with null once it has been answered. */
  onDialog(listener: (dialog: HostDialog | null) => void): void;
  /** Whether a dialog is held open: the page's script answers no commands. */
  hasDialog(): boolean;
  /** Called once, when the channel breaks or the host reports that its web process is gone. */
  onGone(listener: () => void): void;
  close(): void;
}

/** Listens where the host will connect. `connected` resolves with the channel, and rejects after `limitMs`. */
export async function listenForHost(path: string, limitMs: number) {
  const server = createServer().listen(path);
  await once(server, 'listening');
  const connected = accept(server, limitMs);
  // A start that fails, or takes this long, before it waits for the host: its own error is reported.
  connected.catch(() => undefined);
  return { connected, close: () => void server.close() };
}

async function accept(server: Server, limitMs: number): Promise<HostChannel> {
  try {
    const [socket] = (await once(server, 'connection', { signal: AbortSignal.timeout(limitMs) })) as [Socket];
    return openChannel(socket);
  } finally {
    server.close();
  }
}

const late = (signal: AbortSignal | undefined) =>
  new Error('The browser did not answer in time.', { cause: signal?.reason });

interface Waiting {
  readonly command: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function settle(pending: Map<number, Waiting>, reply: HostReply): void {
  const waiting = pending.get(reply.id);
  pending.delete(reply.id);
  if (!waiting) return;
  if ('error' in reply) waiting.reject(new HostError(reply.error.code, reply.error.message, reply.error.url));
  else waiting.resolve(reply.result);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON. Throws for invalid JSON, for deeper nesting than the code that walks through it supports, and for so many small values that
 * other browsers would have to wait.
 */
function parse(bytes: Buffer): unknown {
  assertShallow(bytes);
  if (bytes.length > mostBeside && bytesBesideStrings(bytes) > mostBeside)
    throw new RangeError('The message has too many values.');
  return JSON.parse(utf8.decode(bytes));
}

const [quote, backslash] = [0x22, 0x5c];
/** Change of the nesting depth by byte: `[` and `{` add one, `]` and `}` take one away. */
const steps = new Int8Array(256);
steps[0x5b] = steps[0x7b] = 1;
steps[0x5d] = steps[0x7d] = -1;

function assertShallow(bytes: Buffer): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else depth += steps[byte] ?? 0;
    if (depth > deepest) throw new RangeError('The message is too deep.');
  }
}

type Heard = Exclude<HostEvent, { readonly event: 'terminated' }>;

function listen(socket: Socket, pending: Map<number, Waiting>, heard: (event: Heard) => void): void {
  const read = frameReader(mostBytes, (bytes) => {
    const message = parse(bytes);
    if (isReply.is(message)) settle(pending, message);
    else if (isEvent.is(message)) {
      if (message.event === 'terminated') socket.destroy();
      else heard(message);
    } else throw new TypeError('This is no message of a host.');
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch {
      // Our host never sends that. Only this browser is ended.
      socket.destroy();
    }
  });
}

function listeners(): Pick<HostChannel, 'onAim' | 'onDialog' | 'hasDialog'> & { hear(event: Heard): void } {
  const aimListeners: Parameters<HostChannel['onAim']>[0][] = [];
  const dialogListeners: Parameters<HostChannel['onDialog']>[0][] = [];
  let hasDialog = false;
  return {
    hear: (heard) => {
      if (heard.event === 'aimed') return aimListeners.forEach((tell) => tell({ x: heard.x, y: heard.y }));
      hasDialog = heard.dialog !== null;
      return dialogListeners.forEach((tell) => tell(heard.dialog));
    },
    onAim: (listener) => void aimListeners.push(listener),
    onDialog: (listener) => void dialogListeners.push(listener),
    hasDialog: () => hasDialog,
  };
}

function openChannel(socket: Socket): HostChannel {
  const pending = new Map<number, Waiting>();
  const abandoned = new Set<Promise<unknown>>();
  const goneListeners: (() => void)[] = [];
  let lastId = 0;

  const { hear, ...events } = listeners();
  listen(socket, pending, hear);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    for (const { reject } of pending.values()) reject(new HostGone());
    pending.clear();
    for (const listener of goneListeners.splice(0)) listener();
  });
  const write = (message: object) => socket.write(`${JSON.stringify(message)}\n`);

  return {
    send: async (command, input, signal) => {
      if (socket.destroyed) throw new HostGone();
      if (signal?.aborted) throw late(signal);
      const id = (lastId += 1);
      const reply = new Promise((resolve, reject) => pending.set(id, { command, resolve, reject }));
      write({ id, command, input });
      return untilAborted(reply, signal, () => {
        const answered = reply.catch(() => undefined).finally(() => abandoned.delete(answered));
        abandoned.add(answered);
        if (!socket.destroyed) write({ cancel: id });
      });
    },
    unanswered: (command) => [...pending.values()].filter((waiting) => waiting.command === command).length,
    ...events,
    idle: () => Promise.all(abandoned).then(() => undefined),
    onGone: (listener) => {
      if (socket.destroyed) listener();
      else goneListeners.push(listener);
    },
    close: () => socket.destroy(),
  };
}

/** Resolves with the reply, or rejects when the signal is aborted first. */
async function untilAborted(
  reply: Promise<unknown>,
  signal: AbortSignal | undefined,
  abandon: () => void,
): Promise<unknown> {
  if (signal === undefined) return reply;
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      abandon();
      reject(late(signal));
    };
    signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([reply, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
