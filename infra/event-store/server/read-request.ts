import type { EventLog } from './event-log.ts';
import type { Faults } from './faults.ts';
import { invalidArgument } from './grpc-errors.ts';
import type { LogSignals } from './log-signals.ts';
import type { streams } from '../protobuf/vendor.ts';

export type ReadRequest = InstanceType<typeof streams.ReadReq>;
export type ReadOptions = InstanceType<typeof streams.ReadReq.Options>;

/** What reading needs of the server. */
export interface ReadContext {
  readonly log: EventLog;
  readonly signals: LogSignals;
  readonly faults: Faults;
}

/** @throws RpcError when there is none */
export function streamNameOf(identifier: { getStreamName_asU8(): Uint8Array } | undefined): string {
  if (!identifier) throw invalidArgument('The request names no stream.');
  return Buffer.from(identifier.getStreamName_asU8()).toString();
}
