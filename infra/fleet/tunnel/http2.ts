import type { Http2Session, Http2Stream, SessionOptions } from 'node:http2';
import { Duplex } from 'node:stream';

export const bounds = {
  /** Maximal concurrent connections of one tunnel. */
  connections: 1_000,
  /** Flow-control window of one connection in bytes. */
  connectionWindow: 256 * 1024,
  /** Flow-control window of all connections of a tunnel in bytes. */
  window: 16 * 1024 * 1024,
  pingMs: 3_000,
  /** Milliseconds without an answer to a ping after which a tunnel counts as lost. */
  silenceMs: 10_000,
} as const;

export const http2Options: SessionOptions = {
  settings: {
    enablePush: false,
    initialWindowSize: bounds.connectionWindow,
    maxConcurrentStreams: bounds.connections,
  },
  /** Megabytes that may be queued for sending. */
  maxSessionMemory: 64,
};

/**
 * Resolves when everything written to a socket has been sent. HTTP/2 takes over the socket's handle, and Node aborts the process if an
 * earlier write completes then.
 */
export const flushed = (socket: Duplex): Promise<void> =>
  new Promise((resolve) => void socket.write('', () => resolve()));

interface Patience {
  readonly pingMs: number;
  readonly silenceMs: number;
}

/**
 * Ends a tunnel that has failed, or whose other end is gone or unresponsive. `socket` is its transport. It is destroyed too: a session that
 * is destroyed alone closes only when everything that was written has been taken, and a network that is gone takes nothing for minutes.
 */
export function superviseTunnel(
  session: Http2Session,
  socket: Duplex,
  { pingMs, silenceMs }: Patience = bounds,
): void {
  let heardAt = performance.now();
  const end = (): void => {
    session.destroy();
    socket.destroy();
  };
  const beat = setInterval(() => {
    if (session.destroyed || performance.now() - heardAt > silenceMs) end();
    else if (!session.closed) session.ping((error) => (heardAt = error ? heardAt : performance.now()));
  }, pingMs);
  session.once('close', () => clearInterval(beat));
  session.on('error', end);
  // Sockets of an HTTP server may be half open; those of HTTP/2 may not.
  socket.once('end', end);
}

/**
 * A stream of a tunnel as a connection. It writes one buffer at a time, because Node garbles strings, and several chunks at once, on HTTP/2
 * streams (https://github.com/nodejs/node/issues/40679).
 */
export class TunnelConnection extends Duplex {
  readonly #stream: Http2Stream;

  constructor(stream: Http2Stream) {
    super();
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.once('end', () => this.push(null));
    // After any error the connection is closed.
    stream.on('error', () => undefined);
    stream.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#stream.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#stream.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream.destroy();
    done(error);
  }
}
