import { expect } from 'chai';
import fc from 'fast-check';
import { contents, generated, uint64, type Content } from './testing.ts';
import { streams } from './vendor.ts';
import { encoded } from './writer.ts';

/** A recorded event, its fields in the order of their numbers, as the generated code writes them. */
const written = ({ id, stream, revision, prepare, commit, properties, metadata, data }: Content): Buffer =>
  encoded((recorded) => {
    recorded.bytes(8, data).bytes(7, metadata);
    for (const [key, value] of properties.toReversed())
      recorded.message(6, (entry) => entry.text(2, value).text(1, key));
    recorded.varint(5, commit).varint(4, prepare).varint(3, revision);
    recorded.message(2, (identifier) => identifier.text(3, stream));
    recorded.message(1, (uuid) => uuid.text(2, id));
  });

describe('the protobuf writer', () => {
  it('writes the bytes that the generated code writes', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const expected = Buffer.from(generated(content).serializeBinary());
        expect(written(content).toString('hex')).to.equal(expected.toString('hex'));
      }),
    );
  });

  it('writes an integer the same from a number as from a bigint, whatever its length', () => {
    fc.assert(
      fc.property(uint64, (value) => {
        const expected = Buffer.from(
          new streams.ReadResp.Checkpoint().setCommitPosition(String(value)).serializeBinary(),
        );
        const forms = value <= Number.MAX_SAFE_INTEGER ? [value, Number(value)] : [value];
        for (const form of forms) {
          const bytes = encoded((checkpoint) => checkpoint.varint(1, form));
          expect(bytes.toString('hex')).to.equal(expected.toString('hex'));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('writes a message of any size, and the next one whole', () => {
    const data = Buffer.alloc(3_000_000, 'x');
    const large = encoded((message) => message.bytes(2, data).message(1, (inner) => inner.bytes(3, data)));
    expect(large).to.have.length(2 * (data.length + 5) + 5);
    expect(large.subarray(-data.length)).to.deep.equal(data);
    expect(encoded((message) => message.text(1, 'small')).toString('hex')).to.equal('0a05736d616c6c');
  });
});
