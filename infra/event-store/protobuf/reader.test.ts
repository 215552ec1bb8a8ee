import { expect } from 'chai';
import fc from 'fast-check';
import { readFields, readNested, type Fields } from './fields.ts';
import { contents, generated, structured, uint64, type Content } from './testing.ts';
import { MalformedMessage, ProtobufReader } from './reader.ts';
import { readUuid } from './uuid.ts';
import { shared, streams } from './vendor.ts';

type Draft = { -readonly [Key in keyof Content]: Content[Key] };

const streamFields: Fields<Draft> = { 3: (reader, draft) => (draft.stream = reader.text()) };
const entryFields: Fields<[string, string]> = {
  1: (reader, entry) => (entry[0] = reader.text()),
  2: (reader, entry) => (entry[1] = reader.text()),
};
const fields: Fields<Draft> = {
  1: (reader, draft) => (draft.id = readUuid(reader)),
  2: (reader, draft) => readNested(reader, streamFields, draft),
  3: (reader, draft) => (draft.revision = reader.uint64()),
  4: (reader, draft) => (draft.prepare = reader.uint64()),
  5: (reader, draft) => (draft.commit = reader.uint64()),
  6: (reader, draft) => {
    draft.properties = [...draft.properties, readNested(reader, entryFields, ['', ''])];
  },
  7: (reader, draft) => (draft.metadata = new Uint8Array(reader.bytes())),
  8: (reader, draft) => (draft.data = new Uint8Array(reader.bytes())),
};

const nothing = { id: '', stream: '', revision: 0n, prepare: 0n, commit: 0n } as const;
const decode = (bytes: Uint8Array): Content =>
  readFields<Draft>(new ProtobufReader(Buffer.from(bytes)), fields, {
    ...nothing,
    properties: [],
    metadata: new Uint8Array(),
    data: new Uint8Array(),
  });

/** The same bytes, decoded by the generated code. */
function decodedByVendor(
  bytes: Uint8Array,
): Pick<Content, 'stream' | 'revision' | 'prepare' | 'commit' | 'data'> {
  const message = streams.ReadResp.ReadEvent.RecordedEvent.deserializeBinary(bytes);
  return {
    stream: Buffer.from(message.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    revision: BigInt(message.getStreamRevision()),
    prepare: BigInt(message.getPreparePosition()),
    commit: BigInt(message.getCommitPosition()),
    data: message.getData_asU8(),
  };
}

/** An unknown field, of each wire type. */
const unknownFields = fc.oneof(
  uint64.map((value) => tagged(0, varint(value))),
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((value) => tagged(1, value)),
  fc.uint8Array({ maxLength: 200 }).map((value) => tagged(2, [...varint(BigInt(value.length)), ...value])),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((value) => tagged(5, value)),
);
const tagged = (wireType: number, value: Iterable<number>): number[] => [
  ...varint(BigInt((99 << 3) | wireType)),
  ...value,
];
function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
}

describe('the protobuf reader', () => {
  it('reads what the generated code writes, in either form of a uuid', () => {
    fc.assert(
      fc.property(contents, fc.boolean(), (content, halves) => {
        const id = halves ? structured(content.id) : new shared.UUID().setString(content.id);
        expect(decode(generated(content, id).serializeBinary())).to.deep.equal(content);
      }),
    );
  });

  it('reads what the generated code reads: the last of repeated fields, and nothing of unknown ones', () => {
    fc.assert(
      fc.property(contents, contents, unknownFields, (first, last, unknown) => {
        const parts = [
          generated(first).serializeBinary(),
          unknown,
          generated(last).serializeBinary(),
          unknown,
        ];
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
        expect(decode(bytes)).to.deep.include(decodedByVendor(bytes));
      }),
    );
  });

  it('returns zero and empty values for missing fields, which the generated code omits', () => {
    expect(decode(new streams.ReadResp.ReadEvent.RecordedEvent().serializeBinary())).to.deep.include(nothing);
  });

  it('finds one of the given texts, and none that only has the same beginning', () => {
    const known = ['type', 'created', 'type2'].map((each) => Buffer.from(each));
    const among = (value: string) => {
      const bytes = new shared.StreamIdentifier().setStreamName(Buffer.from(value)).serializeBinary();
      const reader = new ProtobufReader(Buffer.from(bytes));
      reader.next();
      return reader.textAmong(known);
    };
    expect(['type', 'created', 'type2', 'typ', 'type3', 'Type'].map(among)).to.deep.equal([
      0, 1, 2, -1, -1, -1,
    ]);
  });

  it('refuses a message that is truncated within a field, at whatever byte', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const bytes = generated(content).serializeBinary();
        for (let length = 0; length < bytes.length; length += 1) {
          try {
            decode(bytes.subarray(0, length));
          } catch (error) {
            expect(error).to.be.instanceOf(MalformedMessage);
          }
        }
        expect(() => decode(bytes.subarray(0, -1))).to.throw(MalformedMessage);
      }),
      { numRuns: 20 },
    );
  });

  it('refuses integers of more than ten bytes, tags and lengths of more than five, and unknown wire types', () => {
    const endless = Array.from({ length: 11 }, () => 0xff);
    const malformed = [
      [3 << 3, ...endless],
      endless,
      [(8 << 3) | 2, ...endless],
      [(1 << 3) | 3],
      [(3 << 3) | 5, 0, 0, 0, 0],
    ];
    for (const bytes of malformed) expect(() => decode(Buffer.from(bytes))).to.throw(MalformedMessage);
  });
});
