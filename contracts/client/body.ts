import { TimedOut, type Limit } from './limit.ts';
import type { HttpResponse } from './options.ts';

/** A body's chunks. `read` returns undefined at the end, and throws after a time without data, or if the call is aborted. */
interface Chunks {
  read(): Promise<Uint8Array | undefined>;
  /** Cancels the rest. */
  close(): void;
}

function open({ body }: HttpResponse, limit: Limit, silentMs: number): Chunks {
  if (body === null) return { read: async () => undefined, close: () => undefined };
  const reader = body.getReader();
  let silence: TimedOut | undefined;
  let aliveAt = performance.now();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const look = (): void => {
    const silent = performance.now() - aliveAt;
    if (silent < silentMs) timer = setTimeout(look, silentMs - silent);
    else {
      silence = new TimedOut(`The connection was silent for ${silentMs} ms.`);
      cancel();
    }
  };
  let timer = setTimeout(look, silentMs);
  limit.onStop = cancel;
  let isRead = false;
  return {
    read: async () => {
      const read = await reader.read();
      const ended = limit.reason() ?? silence;
      if (ended !== undefined) throw ended;
      aliveAt = performance.now();
      isRead = read.done;
      return read.value as Uint8Array | undefined;
    },
    close: () => {
      clearTimeout(timer);
      limit.onStop = undefined;
      if (!isRead) cancel();
    },
  };
}

/** The chunks of a body as received. Leaving the loop early cancels the rest. */
export async function* chunksOf(
  response: HttpResponse,
  limit: Limit,
  silentMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = open(response, limit, silentMs);
  try {
    for (let chunk = await chunks.read(); chunk !== undefined; chunk = await chunks.read()) yield chunk;
  } finally {
    chunks.close();
  }
}

/** The whole body. If it is longer than `most` bytes, only its beginning: a little more than `most` bytes. */
export async function bytesOf(
  response: HttpResponse,
  limit: Limit,
  silentMs: number,
  most?: number,
): Promise<Uint8Array> {
  const chunks = open(response, limit, silentMs);
  const read: Uint8Array[] = [];
  let size = 0;
  try {
    for (let chunk = await chunks.read(); chunk !== undefined; chunk = await chunks.read()) {
      read.push(chunk);
      size += chunk.length;
      if (most !== undefined && size > most) break;
    }
  } finally {
    chunks.close();
  }
  return joined(read, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first = new Uint8Array()] = chunks;
  if (chunks.length <= 1) return first;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const decoder = new TextDecoder();
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);
