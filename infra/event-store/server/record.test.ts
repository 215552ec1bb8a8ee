import { expect } from 'chai';
import fc from 'fast-check';
import { streams } from '../protobuf/vendor.ts';
import {
  encodeRecord,
  StoredRecord,
  TOMBSTONE_REVISION,
  type Placement,
  type ProposedEvent,
} from './record.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });

const proposed: fc.Arbitrary<ProposedEvent> = fc.record({
  id: fc.uuid(),
  type: text,
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  data: fc.uint8Array({ maxLength: 400 }),
  metadata: fc.uint8Array({ maxLength: 400 }),
});

const placement: fc.Arbitrary<Placement> = fc.record({
  stream: text,
  revision: fc.oneof(fc.maxSafeNat(), fc.constant(TOMBSTONE_REVISION)),
  position: fc.maxSafeNat(),
  created: fc.nat({ max: 4_102_444_800_000 }),
});

describe('the stored bytes of an event', () => {
  it('are the message a reader decodes', () => {
    fc.assert(
      fc.property(proposed, placement, (event, place) => {
        const bytes = encodeRecord(event, place);
        const readEvent = streams.ReadResp.deserializeBinary(bytes).getEvent()?.toObject();
        const bytesOf = (value: Uint8Array): string => Buffer.from(value).toString('base64');
        const { metadataMap, ...recorded } = readEvent?.event ?? { metadataMap: [] };
        expect(readEvent?.commitPosition).to.equal(String(place.position));
        expect(recorded).to.deep.equal({
          id: { structured: undefined, string: event.id },
          streamIdentifier: { streamName: bytesOf(Buffer.from(place.stream)) },
          streamRevision: String(place.revision),
          preparePosition: String(place.position),
          commitPosition: String(place.position),
          customMetadata: bytesOf(event.metadata),
          data: bytesOf(event.data),
        });
        expect(metadataMap).to.have.deep.members([
          ['type', event.type],
          ['created', String(BigInt(place.created) * 10_000n)],
          ['content-type', event.contentType],
        ]);
      }),
    );
  });

  it('give access to each field without being decoded completely', () => {
    fc.assert(
      fc.property(proposed, placement, (event, place) => {
        const record = new StoredRecord(encodeRecord(event, place));
        const { id, stream, type, position, created, revision } = record;
        expect({ id, stream, type, position, created }).to.deep.equal({
          id: event.id,
          stream: place.stream,
          type: event.type,
          position: place.position,
          created: place.created,
        });
        expect(revision).to.equal(Number(place.revision));
        expect(record.data).to.deep.equal(Buffer.from(event.data));
      }),
    );
  });
});
