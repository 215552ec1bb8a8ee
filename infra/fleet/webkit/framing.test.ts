import { expect } from 'chai';
import fc from 'fast-check';
import { frameReader } from './framing.ts';

const framed = (text: string): Buffer => {
  const body = Buffer.from(text);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
};

describe('messages with a length prefix', () => {
  it('are reassembled from chunks of any size', () => {
    const texts = fc.array(fc.string({ minLength: 1, unit: 'binary' }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (sent, size) => {
        const taken: string[] = [];
        const read = frameReader(1_000, (message) => taken.push(message.toString()));
        const bytes = Buffer.concat(sent.map(framed));
        for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
        expect(taken).to.deep.equal(sent.map((text) => Buffer.from(text).toString()));
      }),
    );
  });

  it('are refused by their length prefix alone', () => {
    const read = frameReader(100, () => expect.fail('taken'));
    expect(() => read(Buffer.from([0, 0, 0, 101]))).to.throw(RangeError);
    expect(() => frameReader(100, () => undefined)(Buffer.from([0, 0, 0, 0]))).to.throw(RangeError);
    expect(() => frameReader(100, () => undefined)(Buffer.from([255, 255, 255, 255]))).to.throw(RangeError);
  });
});
