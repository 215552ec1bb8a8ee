import { setTimeout as delay } from 'node:timers/promises';
import type { WriteResult } from './commit-group.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { take, type Faults } from './faults.ts';
import { notLeader } from './grpc-errors.ts';
import type { LogWriter } from './log-writer.ts';
import type { ProposedEvent } from './record.ts';

/** What appending needs of the server. */
export interface AppendContext {
  readonly writer: LogWriter;
  readonly faults: Faults;
  /** Where this server is reached: it is its own leader. */
  readonly endpoint: { readonly host: string; readonly port: number };
}

/**
 * Appends, with the faults that are switched on.
 * @returns `unanswered` when a fault asks for silence
 * @throws RpcError when a fault says so
 */
export async function appendWith(
  { writer, faults, endpoint }: AppendContext,
  stream: string,
  expected: ExpectedRevision,
  events: readonly ProposedEvent[],
): Promise<WriteResult | 'unanswered'> {
  if (faults.appendDelayMs > 0) await delay(faults.appendDelayMs);
  if (take(faults, 'notLeader')) throw notLeader(endpoint.host, endpoint.port);
  if (take(faults, 'wrongExpectedVersion')) return { kind: 'wrong-revision', revision: 0 };
  if (take(faults, 'dropBeforeCommit')) return 'unanswered';
  const unanswered = take(faults, 'dropAfterCommit');
  const result = await writer.write((group) => group.append(stream, expected, events));
  return unanswered ? 'unanswered' : result;
}
