import { status as grpcStatus } from '@grpc/grpc-js';
import type { WriteResult, Written } from './commit-group.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { MAX_APPEND_BYTES, type RpcError } from './grpc-errors.ts';
import { encoded, type ProtobufWriter } from '../protobuf/writer.ts';
import type { Uuid } from './batch-append-message.ts';
import type { WriteTarget } from './requests.ts';
import { any, code, empty, shared, status } from '../protobuf/vendor.ts';

type Status = InstanceType<typeof status.Status>;

interface Packable {
  serializeBinary(): Uint8Array;
}

/** A failure: its kind is the type of its details, and the default message. */
function failure(kind: keyof typeof code.Code, name: string, details: Packable, message = name): Status {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), `event_store.client.${name}`);
  return new status.Status().setCode(code.Code[kind]).setMessage(message).setDetails(packed);
}

/** A complete `BatchAppendResp`: the outcome, between the request's id and its stream. */
const respond = (correlationId: Uuid, stream: string, write: (response: ProtobufWriter) => unknown): Buffer =>
  encoded((response) => {
    response.message(4, (identifier) => identifier.text(3, stream));
    write(response);
    response.bytes(1, correlationId);
  });

function refused(correlationId: Uuid, stream: string, failed: Status): Buffer {
  const status = failed.serializeBinary();
  return respond(correlationId, stream, (response) => response.bytes(2, status));
}

/** The answer to a decided append. */
export function batchResponse(
  correlationId: Uuid,
  { stream, expected }: WriteTarget,
  result: WriteResult,
): Buffer {
  switch (result.kind) {
    case 'written':
      return respond(correlationId, stream, (response) => writeSuccess(response, result));
    case 'wrong-revision': {
      const details = wrongVersion(expected, result.revision);
      return refused(correlationId, stream, failure('ALREADY_EXISTS', 'WrongExpectedVersion', details));
    }
    case 'deleted': {
      const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
      const details = new shared.StreamDeleted().setStreamIdentifier(identifier);
      return refused(correlationId, stream, failure('NOT_FOUND', 'StreamDeleted', details));
    }
  }
}

const anonymous: Uuid = Buffer.alloc(0);

/** The answer to an append that was not tried, or could not be stored. */
export function batchFailure(
  correlationId: Uuid = anonymous,
  stream = '',
  reason: 'timeout' | 'too-large' | RpcError,
): Buffer {
  return refused(correlationId, stream, failureOf(reason));
}

function failureOf(reason: 'timeout' | 'too-large' | RpcError): Status {
  if (reason === 'timeout') return failure('DEADLINE_EXCEEDED', 'Timeout', new shared.Timeout());
  if (reason === 'too-large') {
    const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
    return failure('INVALID_ARGUMENT', 'MaximumAppendSizeExceeded', details);
  }
  if (reason.code === grpcStatus.INTERNAL)
    return failure('UNKNOWN', 'Unknown', new shared.Unknown(), reason.details);
  return failure('INVALID_ARGUMENT', 'BadRequest', new shared.BadRequest().setMessage(reason.details));
}

/** `Success`: the stream's last revision, unless it has no events, and the position in the log. */
const writeSuccess = (response: ProtobufWriter, { revision, position }: Written): unknown =>
  response.message(3, (success) => {
    success.message(3, (at) => at.varint(2, position).varint(1, position));
    if (revision < 0) success.empty(2);
    else success.varint(1, revision);
  });

function wrongVersion(
  expected: ExpectedRevision,
  actual: number,
): InstanceType<typeof shared.WrongExpectedVersion> {
  const message = new shared.WrongExpectedVersion();
  if (actual < 0) message.setCurrentNoStream(new empty.Empty());
  else message.setCurrentStreamRevision(String(actual));
  if (expected === 'any') return message.setExpectedAny(new empty.Empty());
  if (expected === 'no_stream') return message.setExpectedNoStream(new empty.Empty());
  if (expected === 'stream_exists') return message.setExpectedStreamExists(new empty.Empty());
  return message.setExpectedStreamPosition(String(expected));
}
