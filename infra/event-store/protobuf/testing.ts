import fc from 'fast-check';
import { shared, streams } from './vendor.ts';

type RecordedEvent = InstanceType<typeof streams.ReadResp.ReadEvent.RecordedEvent>;

/** Every length of a varint, the borders between them, and the limits of exact numbers. */
export const uint64 = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  fc.integer({ min: 0, max: 63 }).chain((bits) => fc.constantFrom(...around(2n ** BigInt(bits)))),
  fc.constant(2n ** 64n - 1n),
);

const around = (value: bigint): bigint[] => [value, value + 1n, ...(value > 1n ? [value - 1n] : [])];

export const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
export const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });

/** The contents of a recorded event: each kind of field in its protocol. Nothing is empty. */
export interface Content {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly prepare: bigint;
  readonly commit: bigint;
  /** In the order of their keys, as the generated code writes them. */
  readonly properties: readonly (readonly [string, string])[];
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
}

export const contents: fc.Arbitrary<Content> = fc.record({
  id: fc.uuid(),
  stream: text,
  revision: uint64,
  prepare: uint64,
  commit: uint64,
  properties: fc
    // The generated code uses an object, where this name would set the prototype.
    .uniqueArray(
      fc.tuple(
        text.filter((key) => key !== '__proto__'),
        text,
      ),
      { maxLength: 4, selector: ([key]) => key },
    )
    .map((entries) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  metadata: bytes,
  data: bytes,
});

/** The same as a message of the vendor's generated code. */
export function generated(content: Content, id = new shared.UUID().setString(content.id)): RecordedEvent {
  const message = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(id)
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(content.stream)))
    .setStreamRevision(String(content.revision))
    .setPreparePosition(String(content.prepare))
    .setCommitPosition(String(content.commit))
    .setCustomMetadata(content.metadata)
    .setData(content.data);
  for (const [key, value] of content.properties) message.getMetadataMap().set(key, value);
  return message;
}

/** A uuid as two halves, which the generated code takes as signed integers. */
export function structured(id: string): InstanceType<typeof shared.UUID> {
  const hex = id.replaceAll('-', '');
  const half = (from: number) => BigInt.asIntN(64, BigInt(`0x${hex.slice(from, from + 16)}`)).toString();
  return new shared.UUID().setStructured(
    new shared.UUID.Structured().setMostSignificantBits(half(0)).setLeastSignificantBits(half(16)),
  );
}
