import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { messageOf } from '../../platform/error-message.ts';
import type { ExpectedRevision } from './expected-revision.ts';

/** Maximum size of one append: types (two bytes per character), data and metadata of its events. EventStoreDB's default. */
export const MAX_APPEND_BYTES = 1024 * 1024;

/** An error answer. The client identifies it by the `exception` key of the trailers. */
export class RpcError extends Error implements StatusObject {
  readonly code: status;
  readonly details: string;
  readonly metadata = new Metadata();

  constructor(code: status, details: string, trailers: Readonly<Record<string, string>> = {}) {
    super(details);
    this.name = 'RpcError';
    this.code = code;
    this.details = details;
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }
}

/** Header values are ASCII; a stream name need not be. */
const header = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value));

const EXPECTED_NUMBERS = { no_stream: -1, any: -2, stream_exists: -4 } as const;

const expectedNumber = (expected: ExpectedRevision): number =>
  typeof expected === 'number' ? expected : EXPECTED_NUMBERS[expected];

export const streamDeleted = (stream: string): RpcError =>
  new RpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': header(stream),
  });

/** Error of a delete with a wrong expected revision. An append reports it in its response instead. */
export const wrongExpectedVersion = (stream: string, expected: ExpectedRevision, actual: number): RpcError =>
  new RpcError(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expectedNumber(expected)}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': header(stream),
      'expected-version': String(expectedNumber(expected)),
      'actual-version': String(actual),
    },
  );

export const appendTooLarge = (): RpcError =>
  new RpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });

export const missingMetadata = (property: string): RpcError =>
  new RpcError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const notLeader = (host: string, port: number): RpcError =>
  new RpcError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

/** EventStoreDB 23.10 to 24.2: more was appended than it buffers for a live subscriber. */
export const consumerTooSlow = (): RpcError =>
  new RpcError(
    status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  );

export const invalidArgument = (details: string): RpcError => new RpcError(status.INVALID_ARGUMENT, details);

/** Converts an error into an answer: unknown ones become internal errors with their message. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  return new RpcError(status.INTERNAL, messageOf(error));
}
