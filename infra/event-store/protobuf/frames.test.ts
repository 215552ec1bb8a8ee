import { StreamDecoder } from '@grpc/grpc-js/build/src/stream-decoder.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { framed } from './frames.ts';

const messages = fc.array(
  fc.uint8Array({ maxLength: 80 }).map((each) => Buffer.from(each)),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** How grpc-js frames a serialised message: a header with its length, and a copy of it. */
function sent(message: Buffer): Buffer {
  const frame = Buffer.alloc(message.byteLength + 5);
  frame.writeUInt32BE(message.byteLength, 1);
  message.copy(frame, 5);
  return frame;
}

/** The messages that grpc-js decodes from a stream in these chunks. */
function received(pieces: readonly Buffer[]): string[] {
  const decoder = new StreamDecoder(-1);
  return pieces.flatMap((piece) => decoder.write(piece)).map((frame) => frame.subarray(5).toString('hex'));
}

const hexOf = (all: readonly Buffer[]) => all.map((each) => each.toString('hex'));

describe('messages framed together', () => {
  it('are decoded one by one, at whatever byte the connection splits them', () => {
    fc.assert(
      fc.property(messages, (all) => {
        const stream = sent(framed(all));
        for (let at = 0; at <= stream.length; at += 1) {
          const pieces = [stream.subarray(0, at), stream.subarray(at)];
          expect(received(pieces)).to.deep.equal(hexOf(all));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are decoded from single bytes, and several frames after one another', () => {
    fc.assert(
      fc.property(messages, messages, (first, second) => {
        const stream = Buffer.concat([sent(framed(first)), sent(framed(second))]);
        const pieces = Array.from(stream, (byte) => Buffer.from([byte]));
        expect(received(pieces)).to.deep.equal(hexOf([...first, ...second]));
      }),
    );
  });
});
