import { uuidOfHalves } from '../protobuf/uuid.ts';
import type { AppendReq, DeleteReq, ReadReq, shared, TombstoneReq } from '../protobuf/vendor.ts';
import type { SentEvent } from './batch-append-message.ts';
import { MAX_STREAM_NAME_BYTES } from './event-log.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { invalidArgument, missingMetadata } from './grpc-errors.ts';
import { ALL } from './log-signals.ts';
import { BINARY_CONTENT, JSON_CONTENT, type ProposedEvent } from './record.ts';

export type ReadOptions = ReadReq.Options;

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const METASTREAM_OF_NOTHING = '$$';

function uuidText(uuid: InstanceType<typeof shared.UUID> | undefined): string {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const unsigned = (half: string): bigint => BigInt.asUintN(64, BigInt(half));
  return uuidOfHalves(
    unsigned(structured.getMostSignificantBits()),
    unsigned(structured.getLeastSignificantBits()),
  );
}

/** @throws RpcError if a required part is missing */
export function proposedEvent(message: AppendReq.ProposedMessage): ProposedEvent {
  const properties = message.getMetadataMap();
  return checkedEvent({
    id: uuidText(message.getId()),
    properties: { get: (key) => properties.get(key) },
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  });
}

/** @throws RpcError if a required part is missing */
export function checkedEvent({
  id,
  properties,
  data,
  metadata,
}: Omit<SentEvent, 'properties'> & {
  readonly properties: { get(key: string): string | undefined };
}): ProposedEvent {
  const text = id.toLowerCase();
  if (!UUID_TEXT.test(text)) throw invalidArgument(`'${id}' is not an event id.`);
  const type = properties.get('type');
  const contentType = properties.get('content-type');
  if (!type) throw missingMetadata('type');
  if (contentType === undefined) throw missingMetadata('content-type');
  return {
    id: text,
    type,
    contentType: contentType === JSON_CONTENT ? JSON_CONTENT : BINARY_CONTENT,
    data,
    metadata,
  };
}

/** The size of an event towards an append's limit, in bytes. */
export const appendSize = ({ type, data, metadata }: ProposedEvent): number =>
  2 * type.length + data.length + metadata.length;

/** @throws RpcError for a name that cannot be appended to */
export function writableStream(name: string): string {
  if (name === '' || name === ALL || name === METASTREAM_OF_NOTHING) {
    throw invalidArgument(`'${name}' is not the name of a stream that can be written.`);
  }
  if (Buffer.byteLength(name) > MAX_STREAM_NAME_BYTES) {
    throw invalidArgument(`A stream's name can have ${MAX_STREAM_NAME_BYTES} bytes.`);
  }
  return name;
}

/** The stream of a write, and its expected revision. */
export interface WriteTarget {
  readonly stream: string;
  readonly expected: ExpectedRevision;
}

/** @throws RpcError if the request has none */
export function writeTarget(
  options: AppendReq.Options | DeleteReq.Options | TombstoneReq.Options | undefined,
): WriteTarget {
  if (!options) throw invalidArgument('The request has no options.');
  const stream = writableStream(streamNameOf(options.getStreamIdentifier()));
  if (options.hasNoStream()) return { stream, expected: 'no_stream' };
  if (options.hasAny()) return { stream, expected: 'any' };
  if (options.hasStreamExists()) return { stream, expected: 'stream_exists' };
  if (!options.hasRevision()) throw invalidArgument('The request has no expected revision.');
  return { stream, expected: Number(options.getRevision()) };
}

/** @throws RpcError if there is none */
export function streamNameOf(identifier: { getStreamName_asU8(): Uint8Array } | undefined): string {
  if (!identifier) throw invalidArgument('The request names no stream.');
  return Buffer.from(identifier.getStreamName_asU8()).toString();
}
