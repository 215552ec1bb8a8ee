import { expect } from 'chai';
import fc from 'fast-check';
import { MalformedMessage } from '../protobuf/reader.ts';
import { shared, streams, type ReadResp } from '../protobuf/vendor.ts';
import { decodeReadResponse, type ReadMessage, type WireRecord } from './read-response.ts';

const { ReadResp: Response } = streams;
const { ReadEvent } = Response;

const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 40n }));
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const records: fc.Arbitrary<WireRecord> = fc.record({
  id: fc.uuid(),
  stream: text,
  type: text,
  revision: uint64,
  position: fc.record({ commit: uint64, prepare: uint64 }),
  createdTicks: fc.nat({ max: 2 ** 50 }),
  data: text,
  metadata: text,
});

interface IdForm {
  readonly structured: boolean;
}

/** The record, encoded by the generated messages. */
function generated(record: WireRecord, { structured }: IdForm): InstanceType<typeof ReadEvent.RecordedEvent> {
  const message = new ReadEvent.RecordedEvent()
    .setId(structured ? structuredId(record.id) : new shared.UUID().setString(record.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(record.stream)))
    .setStreamRevision(String(record.revision))
    .setCommitPosition(String(record.position.commit))
    .setPreparePosition(String(record.position.prepare))
    .setCustomMetadata(Buffer.from(record.metadata))
    .setData(Buffer.from(record.data));
  const properties = message.getMetadataMap();
  properties.set('content-type', 'application/json').set('type', record.type);
  properties.set('created', String(record.createdTicks));
  return message;
}

function structuredId(id: string): InstanceType<typeof shared.UUID> {
  const hex = id.replaceAll('-', '');
  const half = (from: number) => BigInt.asIntN(64, BigInt(`0x${hex.slice(from, from + 16)}`)).toString();
  const halves = new shared.UUID.Structured()
    .setMostSignificantBits(half(0))
    .setLeastSignificantBits(half(16));
  return new shared.UUID().setStructured(halves);
}

const bytesOf = (message: ReadResp): Buffer => Buffer.from(message.serializeBinary());

const eventOf = (record: WireRecord, form: IdForm): ReadResp =>
  new Response().setEvent(new ReadEvent().setEvent(generated(record, form)).setCommitPosition('9'));

/** Unknown fields, one of each wire type. */
const unknownFields = Buffer.from([
  ...[0x98, 0x06, 0xff, 0xff, 0x03],
  ...[0x9d, 0x06, 1, 2, 3, 4],
  ...[0x99, 0x06, 1, 2, 3, 4, 5, 6, 7, 8],
  ...[0x9a, 0x06, 3, 7, 7, 7],
]);

describe('the decoder of read responses', () => {
  it('reads every event as the generated messages write it, with either form of its id', () => {
    fc.assert(
      fc.property(records, fc.boolean(), (record, structured) => {
        const decoded = decodeReadResponse(bytesOf(eventOf(record, { structured })));
        expect(decoded).to.deep.equal({ kind: 'event', record } satisfies ReadMessage);
      }),
    );
  });

  it('skips unknown fields', () => {
    fc.assert(
      fc.property(records, (record) => {
        const bytes = bytesOf(eventOf(record, { structured: false }));
        const decoded = decodeReadResponse(Buffer.concat([unknownFields, bytes, unknownFields]));
        expect(decoded).to.deep.equal({ kind: 'event', record });
      }),
    );
  });

  it('uses the last value of a repeated field', () => {
    fc.assert(
      fc.property(records, records, (first, last) => {
        const form = { structured: false };
        const bytes = Buffer.concat([bytesOf(eventOf(first, form)), bytesOf(eventOf(last, form))]);
        expect(decodeReadResponse(bytes)).to.deep.equal({ kind: 'event', record: last });
      }),
    );
  });

  it('distinguishes checkpoints, "caught up", links without a target and greetings', () => {
    const link = new ReadEvent.RecordedEvent().setStreamRevision('3');
    const checkpoint = new Response.Checkpoint()
      .setCommitPosition('18446744073709551615')
      .setPreparePosition('7');
    const kinds: [ReadResp, ReadMessage][] = [
      [
        new Response().setCheckpoint(checkpoint),
        { kind: 'checkpoint', position: { commit: 2n ** 64n - 1n, prepare: 7n } },
      ],
      [new Response().setCaughtUp(new Response.CaughtUp()), { kind: 'caught_up' }],
      [new Response().setFellBehind(new Response.FellBehind()), { kind: 'other' }],
      [new Response().setEvent(new ReadEvent().setLink(link)), { kind: 'other' }],
      [
        new Response().setConfirmation(new Response.SubscriptionConfirmation().setSubscriptionId('s')),
        { kind: 'other' },
      ],
      [new Response().setLastStreamPosition('3'), { kind: 'other' }],
    ];
    for (const [message, expected] of kinds)
      expect(decodeReadResponse(bytesOf(message))).to.deep.equal(expected);
  });

  it('returns a message or throws MalformedMessage for any bytes, truncated and random ones', () => {
    const isHandled = (bytes: Buffer) => {
      try {
        return typeof decodeReadResponse(bytes).kind === 'string';
      } catch (error) {
        return error instanceof MalformedMessage;
      }
    };
    fc.assert(
      fc.property(records, fc.double({ min: 0, max: 1, noNaN: true }), (record, share) => {
        const bytes = bytesOf(eventOf(record, { structured: true }));
        return isHandled(bytes.subarray(0, Math.floor(bytes.length * share)));
      }),
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => isHandled(Buffer.from(bytes))));
  });
});
