import { expect } from 'chai';
import fc from 'fast-check';
import { structured } from './testing.ts';
import { ProtobufReader } from './reader.ts';
import { readUuid, uuidOfHalves } from './uuid.ts';
import { shared, streams } from './vendor.ts';

const { RecordedEvent } = streams.ReadResp.ReadEvent;
type Uuid = InstanceType<typeof shared.UUID>;

function read(id: Uuid): string {
  const reader = new ProtobufReader(Buffer.from(new RecordedEvent().setId(id).serializeBinary()));
  reader.next();
  return readUuid(reader);
}

/** Including a high first bit in either half, and leading zeros. */
const uuids = fc.oneof(
  fc.uuid(),
  fc
    .tuple(fc.constantFrom(0n, 1n, 2n ** 63n, 2n ** 64n - 1n), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
    .map(([most, least]) => uuidOfHalves(most, least)),
);

describe('a uuid of the event store', () => {
  it('is the same text in either of its forms', () => {
    fc.assert(
      fc.property(uuids, (id) => {
        expect(id).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        expect(read(new shared.UUID().setString(id))).to.equal(id);
        expect(read(structured(id))).to.equal(id);
      }),
    );
  });

  it('is empty when it has none', () => {
    expect(read(new shared.UUID())).to.equal('');
  });
});
