import { status } from '@grpc/grpc-js';
import { shared, type Status } from '../protobuf/vendor.ts';
import type { AppendAnswer } from './append-message.ts';
import { StreamTombstoned } from './failures.ts';
import { WrongExpectedRevision } from './types.ts';

export type AppendOutcome = Pick<AppendAnswer, 'revision' | 'position'>;

/** The server could not say whether it wrote, or refused for a reason that is no rule of ours. */
export class AppendFailed extends Error {
  /** A gRPC status, so that it is judged like any other failure of the wire. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'AppendFailed';
    this.code = code;
  }
}

/** What the server's answer to one append comes to: where the events are, or why they were refused. */
export const outcomeOf = (answer: AppendAnswer, stream: string): AppendOutcome | Error =>
  answer.refusal === undefined ? answer : refusalOf(answer.refusal, stream);

/** The reason travels as a message packed in the status's details, named by its type. */
function refusalOf(error: Status, stream: string): Error {
  const details = error.getDetails();
  const type = details?.getTypeName() ?? '';
  switch (type) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = details?.unpack(shared.WrongExpectedVersion.deserializeBinary, type);
      const actual = wrong?.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : null;
      return new WrongExpectedRevision(stream, actual);
    }
    case 'event_store.client.StreamDeleted':
      return new StreamTombstoned(stream);
    case 'event_store.client.Timeout':
      return new AppendFailed(status.DEADLINE_EXCEEDED, `the event store timed out: ${error.getMessage()}`);
    case 'event_store.client.AccessDenied':
      return new AppendFailed(
        status.PERMISSION_DENIED,
        `the event store denied access: ${error.getMessage()}`,
      );
    case 'event_store.client.MaximumAppendSizeExceeded':
      return new AppendFailed(status.INVALID_ARGUMENT, `the append is too large: ${error.getMessage()}`);
    default:
      return new AppendFailed(status.UNKNOWN, `the event store refused: ${error.getMessage()}`);
  }
}
