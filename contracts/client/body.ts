import { TimedOut, type Limit } from './limit.ts';
import type { HttpResponse } from './options.ts';

/**
 * The chunks of a body as they come. Throws when none comes for so long, and when the call is ended; what is left of the body is
 * cancelled then, and when its reader leaves early.
 */
export async function* chunksOf(
  { body }: HttpResponse,
  limit: Limit,
  silentMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
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
  limit.signal.addEventListener('abort', cancel);
  let isRead = false;
  try {
    while (!isRead) {
      const read = await reader.read();
      const ended = limit.reason() ?? silence;
      if (ended !== undefined) throw ended;
      aliveAt = performance.now();
      isRead = read.done;
      if (!read.done) yield read.value as Uint8Array;
    }
  } finally {
    clearTimeout(timer);
    limit.signal.removeEventListener('abort', cancel);
    if (!isRead) cancel();
  }
}

/** The whole body, or a little more than `most` bytes of it. */
export async function bytesOf(
  response: HttpResponse,
  limit: Limit,
  silentMs: number,
  most?: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response, limit, silentMs)) {
    chunks.push(chunk);
    size += chunk.length;
    if (most !== undefined && size > most) break;
  }
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

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
