import type { LogPosition } from './checkpoints.ts';
import { invalidArgument } from './grpc-errors.ts';
import { streamNameOf, type ReadContext, type ReadOptions } from './read-request.ts';
import { allForwards, readableHead, streamForwards, type RecordSource } from './record-sources.ts';
import { StoredRecord } from './record.ts';
import type { SubscriptionPlan } from './subscription.ts';

export type SubscriptionSource = Pick<SubscriptionPlan, 'source' | 'start'>;

const beginning: LogPosition = { commit: 0, prepare: 0 };

/** The events after the position or revision that a subscription names, or after everything there is. */
export function subscriptionSource(context: ReadContext, options: ReadOptions): SubscriptionSource {
  if (options.hasAll()) return allAfter(context, options);
  const stream = streamNameOf(options.getStream()?.getStreamIdentifier());
  return { source: streamAfter(context, stream, options), start: beginning };
}

function allAfter({ log, faults }: ReadContext, options: ReadOptions): SubscriptionSource {
  const all = options.getAll();
  const position = all?.getPosition();
  if (!position) {
    const start = all?.hasEnd() ? { commit: log.nextPosition(), prepare: 0 } : beginning;
    return { source: allForwards(log, start.commit), start };
  }
  const start = logPosition(position);
  const again =
    faults.duplicatesOnResume > 0
      ? log.before(start.commit + 1, faults.duplicatesOnResume).at(-1)
      : undefined;
  const first = again ? new StoredRecord(again).position : firstAfter(start);
  return { source: allForwards(log, first), start };
}

/** An event is at the same number twice, so that a smaller prepare position lies before the event there. */
const firstAfter = ({ commit, prepare }: LogPosition): number => (prepare < commit ? commit : commit + 1);

function logPosition(named: { getCommitPosition(): string; getPreparePosition(): string }): LogPosition {
  const [commit, prepare] = [Number(named.getCommitPosition()), Number(named.getPreparePosition())];
  if (prepare > commit) {
    throw invalidArgument('The commit position cannot be less than the prepare position.');
  }
  return { commit, prepare };
}

function streamAfter({ log, faults }: ReadContext, stream: string, options: ReadOptions): RecordSource {
  const from = options.getStream();
  const head = readableHead(log, stream);
  if (from?.hasEnd()) return streamForwards(log, stream, (head?.last ?? -1) + 1);
  if (!from?.hasRevision()) return streamForwards(log, stream, 0);
  const after = Number(from.getRevision()) + 1;
  return streamForwards(log, stream, Math.max(0, after - faults.duplicatesOnResume));
}
