import { uuidOfHalves } from '../protobuf/uuid.ts';
import type { SentEvent } from './batch-append-message.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { MAX_STREAM_NAME_BYTES } from './event-log.ts';
import { invalidArgument, missingMetadata } from './grpc-errors.ts';
import { ALL } from './log-signals.ts';
import { BINARY_CONTENT, JSON_CONTENT, type ProposedEvent } from './record.ts';
import type { shared, streams } from '../protobuf/vendor.ts';

type Uuid = InstanceType<typeof shared.UUID>;
type ProposedMessage = InstanceType<typeof streams.AppendReq.ProposedMessage>;

const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const METASTREAM_OF_NOTHING = '$$';

function uuidText(uuid: Uuid | undefined): string {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  const unsigned = (half: string): bigint => BigInt.asUintN(64, BigInt(half));
  return uuidOfHalves(
    unsigned(structured.getMostSignificantBits()),
    unsigned(structured.getLeastSignificantBits()),
  );
}

/** @throws RpcError when a required part is missing */
export function proposedEvent(message: ProposedMessage): ProposedEvent {
  const properties = message.getMetadataMap();
  return checkedEvent({
    id: uuidText(message.getId()),
    properties: { get: (key) => properties.get(key) },
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  });
}

/** @throws RpcError when a required part is missing */
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

/** What an event counts for against the greatest size of an append, in bytes. */
export const appendSize = ({ type, data, metadata }: ProposedEvent): number =>
  2 * type.length + data.length + metadata.length;

/** @throws RpcError when nothing can be appended under this name */
export function writableStream(name: string): string {
  if (name === '' || name === ALL || name === METASTREAM_OF_NOTHING) {
    throw invalidArgument(`'${name}' is not the name of a stream that can be written.`);
  }
  if (Buffer.byteLength(name) > MAX_STREAM_NAME_BYTES) {
    throw invalidArgument(`A stream's name can have ${MAX_STREAM_NAME_BYTES} bytes.`);
  }
  return name;
}

interface ExpectedOptions {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

/** @throws RpcError when the request does not say */
export function expectedRevision(options: ExpectedOptions, revision: string | undefined): ExpectedRevision {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  if (revision === undefined) throw invalidArgument('The request has no expected revision.');
  return Number(revision);
}
