import { expect } from 'chai';
import fc from 'fast-check';
import { contents, generated, uint64, type Content } from './testing.ts';
import { streams } from './vendor.ts';
import { fieldSize, ProtobufWriter, varintSize } from './writer.ts';

/** A recorded event, its fields in the order of their numbers, as the generated code writes them. */
function written({ id, stream, revision, prepare, commit, properties, metadata, data }: Content): Buffer {
  const name = Buffer.from(stream);
  const entries = properties.map(([key, value]) => {
    const [keyBytes, valueBytes] = [Buffer.from(key), Buffer.from(value)];
    return { keyBytes, valueBytes, size: fieldSize(keyBytes.length) + fieldSize(valueBytes.length) };
  });
  const size =
    fieldSize(fieldSize(id.length)) +
    fieldSize(fieldSize(name.length)) +
    [revision, prepare, commit].reduce((sum, value) => sum + 1 + varintSize(value), 0) +
    entries.reduce((sum, entry) => sum + fieldSize(entry.size), 0) +
    fieldSize(metadata.length) +
    fieldSize(data.length);
  const writer = new ProtobufWriter(size);
  writer.messageField(1, fieldSize(id.length)).bytesField(2, Buffer.from(id));
  writer.messageField(2, fieldSize(name.length)).bytesField(3, name);
  writer.varintField(3, revision).varintField(4, prepare).varintField(5, commit);
  for (const entry of entries) {
    writer.messageField(6, entry.size).bytesField(1, entry.keyBytes).bytesField(2, entry.valueBytes);
  }
  return writer.bytesField(7, metadata).bytesField(8, data).bytes;
}

describe('the protobuf writer', () => {
  it('writes the bytes that the generated code writes, and exactly as many as were counted', () => {
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
          const { bytes } = new ProtobufWriter(1 + varintSize(form)).varintField(1, form);
          expect(bytes.toString('hex')).to.equal(expected.toString('hex'));
        }
      }),
      { numRuns: 500 },
    );
  });
});
