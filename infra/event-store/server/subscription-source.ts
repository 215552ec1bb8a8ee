import { invalidArgument } from './grpc-errors.ts';
import { streamNameOf, type ReadContext, type ReadOptions } from './read-request.ts';
import { allForwards, readableHead, streamForwards, type RecordSource } from './record-sources.ts';
import { StoredRecord } from './record.ts';

/** Where a subscription starts: after the place it names, or after everything there is. */
export function subscriptionSource(context: ReadContext, options: ReadOptions): RecordSource {
  if (options.hasAll()) return allAfter(context, options);
  return streamAfter(context, streamNameOf(options.getStream()?.getStreamIdentifier()), options);
}

function allAfter({ log, faults }: ReadContext, options: ReadOptions): RecordSource {
  const all = options.getAll();
  if (all?.hasEnd()) return allForwards(log, log.nextPosition());
  const position = all?.getPosition();
  if (!position) return allForwards(log, 0);
  const commit = Number(position.getCommitPosition());
  if (BigInt(position.getPreparePosition()) > BigInt(position.getCommitPosition())) {
    throw invalidArgument('The commit position cannot be less than the prepare position.');
  }
  const again =
    faults.duplicatesOnResume > 0 ? log.before(commit + 1, faults.duplicatesOnResume).at(-1) : undefined;
  if (again) return allForwards(log, new StoredRecord(again).position);
  return allForwards(log, commit === 0 ? 0 : commit + 1);
}

function streamAfter({ log, faults }: ReadContext, stream: string, options: ReadOptions): RecordSource {
  const from = options.getStream();
  const head = readableHead(log, stream);
  if (from?.hasEnd()) return streamForwards(log, stream, (head?.last ?? -1) + 1);
  if (!from?.hasRevision()) return streamForwards(log, stream, 0);
  const after = Number(from.getRevision()) + 1;
  return streamForwards(log, stream, Math.max(0, after - faults.duplicatesOnResume));
}
