import { status as grpcStatus } from '@grpc/grpc-js';
import type { WriteResult } from './commit-group.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { MAX_APPEND_BYTES, type RpcError } from './grpc-errors.ts';
import { any, code, empty, shared, status, streams } from './protocol.ts';

export type BatchAppendResp = InstanceType<typeof streams.BatchAppendResp>;
type Uuid = InstanceType<typeof shared.UUID>;
type Status = InstanceType<typeof status.Status>;

interface Packable {
  serializeBinary(): Uint8Array;
}

const identifier = (stream: string): InstanceType<typeof shared.StreamIdentifier> =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(stream));

/** A failure: its kind is told by the type of its details, which is its message too where there is no better. */
function failure(kind: keyof typeof code.Code, name: string, details: Packable, message = name): Status {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), `event_store.client.${name}`);
  return new status.Status().setCode(code.Code[kind]).setMessage(message).setDetails(packed);
}

function respond(correlationId: Uuid | undefined, stream: string): BatchAppendResp {
  return new streams.BatchAppendResp()
    .setCorrelationId(correlationId)
    .setStreamIdentifier(identifier(stream));
}

/** The answer to an append that was decided. */
export function batchResponse(
  correlationId: Uuid,
  { stream, expected }: { readonly stream: string; readonly expected: ExpectedRevision },
  result: WriteResult,
): BatchAppendResp {
  const response = respond(correlationId, stream);
  switch (result.kind) {
    case 'written':
      return response.setSuccess(success(result.revision, result.position));
    case 'wrong-revision':
      return response.setError(
        failure('ALREADY_EXISTS', 'WrongExpectedVersion', wrongVersion(expected, result.revision)),
      );
    case 'deleted':
      return response.setError(
        failure(
          'NOT_FOUND',
          'StreamDeleted',
          new shared.StreamDeleted().setStreamIdentifier(identifier(stream)),
        ),
      );
  }
}

/** The answer to an append that was not tried, or could not be stored. */
export function batchFailure(
  correlationId: Uuid | undefined,
  stream: string,
  reason: 'timeout' | 'too-large' | RpcError,
): BatchAppendResp {
  const response = respond(correlationId, stream);
  if (reason === 'timeout')
    return response.setError(failure('DEADLINE_EXCEEDED', 'Timeout', new shared.Timeout()));
  if (reason === 'too-large') {
    const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
    return response.setError(failure('INVALID_ARGUMENT', 'MaximumAppendSizeExceeded', details));
  }
  if (reason.code === grpcStatus.INTERNAL)
    return response.setError(failure('UNKNOWN', 'Unknown', new shared.Unknown(), reason.details));
  const details = new shared.BadRequest().setMessage(reason.details);
  return response.setError(failure('INVALID_ARGUMENT', 'BadRequest', details));
}

function success(revision: number, position: number): InstanceType<typeof streams.BatchAppendResp.Success> {
  const place = new shared.AllStreamPosition();
  place.setCommitPosition(String(position)).setPreparePosition(String(position));
  const message = new streams.BatchAppendResp.Success().setPosition(place);
  return revision < 0 ? message.setNoStream(new empty.Empty()) : message.setCurrentRevision(String(revision));
}

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
