import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Returns how many of the bytes were written; throws if none could be. */
type Write = (bytes: Uint8Array) => number;

/** Pause until a pipe that is full is written to again, in milliseconds. */
const pauseMs = 20;
const nothing = new Uint8Array();
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes each line before it returns, and waits for a slow reader. A line that cannot be written, as on a full disk, is dropped:
 * with pino's own destination each call of the logger would throw.
 */
export function standardOutput(write: Write = (bytes) => writeSync(1, bytes)): DestinationStream {
  /** The end of a line that was written in part; it comes first, so that the next line begins on its own. */
  let rest: Uint8Array = nothing;
  return {
    write: (text) => {
      rest = unwritten(write, rest);
      if (rest.length > 0) return;
      const line = Buffer.from(text);
      const left = unwritten(write, line);
      if (left.length < line.length) rest = left;
    },
  };
}

/** Writes the bytes, and returns those that could not be written. */
function unwritten(write: Write, bytes: Uint8Array): Uint8Array {
  let left = bytes;
  while (left.length > 0) {
    try {
      left = left.subarray(write(left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return left;
      Atomics.wait(sleeper, 0, 0, pauseMs);
    }
  }
  return left;
}
