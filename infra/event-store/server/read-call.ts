import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from './event-log.ts';
import { invalidArgument, toRpcError } from './grpc-errors.ts';
import { Outgoing, type OutgoingCall } from './outgoing.ts';
import { streams, type ReadReq } from '../protobuf/vendor.ts';
import { compileFilter } from './record-filter.ts';
import {
  firstStreamPosition,
  lastStreamPosition,
  presenterFor,
  streamNotFound,
  type Presenter,
} from './read-responses.ts';
import {
  allBackwards,
  allForwards,
  firstVisible,
  readableHead,
  streamBackwards,
  streamForwards,
  subscriptionSource,
  type ReadContext,
  type RecordSource,
} from './record-sources.ts';
import { streamNameOf, type ReadOptions } from './requests.ts';
import { runSubscription } from './subscription.ts';

const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;
/** Page size of reads from the log. */
const PAGE = 256;
/** Larger limits mean none. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Serves `Streams.Read`: reads of a stream and of `$all`, and subscriptions to them. */
export async function serveRead(context: ReadContext, call: OutgoingCall<ReadReq>): Promise<void> {
  const outgoing = new Outgoing(call);
  try {
    const options = call.request.getOptions();
    if (!options) throw invalidArgument('The request has no options.');
    await (options.hasSubscription()
      ? subscribe(context, options, outgoing)
      : read(context, options, outgoing));
    outgoing.end();
  } catch (error) {
    outgoing.fail(toRpcError(error));
  }
}

function presenter({ log, faults }: ReadContext, options: ReadOptions): Presenter {
  const structuredIds = options.getUuidOption()?.hasString() !== true;
  const oversized = faults.oversizedEvents;
  return presenterFor(log, { resolveLinks: options.getResolveLinks(), structuredIds, oversized });
}

async function subscribe(context: ReadContext, options: ReadOptions, outgoing: Outgoing): Promise<void> {
  const filterOptions = options.getFilter();
  await runSubscription(context, outgoing, {
    ...subscriptionSource(context, options),
    present: presenter(context, options),
    ...(filterOptions && { filter: compileFilter(filterOptions) }),
  });
}

async function read(context: ReadContext, options: ReadOptions, outgoing: Outgoing): Promise<void> {
  const { log } = context;
  const stream = options.hasStream() ? streamNameOf(options.getStream()?.getStreamIdentifier()) : undefined;
  if (stream !== undefined && !readableHead(log, stream)) {
    outgoing.send(streamNotFound(stream));
    return;
  }
  const source = stream === undefined ? allSource(log, options) : streamSource(log, stream, options);
  const tellsEnds = stream !== undefined && (options.getControlOption()?.getCompatibility() ?? 0) >= 1;
  const sent = await sendAll(
    outgoing,
    source,
    limitOf(options),
    presenter(context, options),
    searcher(context, options),
  );
  if (tellsEnds) tellEnds(log, stream, sent, outgoing);
}

interface Search {
  readonly matches: (record: Buffer) => boolean;
  /** Delay before each page. */
  readonly delayMs: number;
}

function searcher({ faults }: ReadContext, options: ReadOptions): Search | undefined {
  const filter = options.getFilter();
  return filter && { matches: compileFilter(filter).matches, delayMs: faults.searchMs };
}

const limitOf = (options: ReadOptions): number => Math.min(Number(options.getCount()), NO_LIMIT);

async function sendAll(
  outgoing: Outgoing,
  source: RecordSource,
  limit: number,
  present: Presenter,
  search: Search | undefined,
): Promise<number> {
  let sent = 0;
  while (sent < limit && !outgoing.signal.aborted) {
    const page = source.next(search ? PAGE : Math.min(PAGE, limit - sent));
    if (page.length === 0) break;
    if (search && search.delayMs > 0) await delay(search.delayMs);
    for (const record of page) {
      if (sent === limit) break;
      if (search && !search.matches(record)) continue;
      if (!outgoing.send(present(record))) await outgoing.flush();
      sent++;
    }
    await outgoing.flush();
  }
  return sent;
}

function tellEnds(log: EventLog, stream: string, sent: number, outgoing: Outgoing): void {
  const head = readableHead(log, stream);
  if (!head) return;
  const first = firstVisible(log, stream, head, Date.now());
  if (sent === 0 && first <= head.last) outgoing.send(firstStreamPosition(first));
  outgoing.send(lastStreamPosition(head.last));
}

function allSource(log: EventLog, options: ReadOptions): RecordSource {
  const all = options.getAll();
  const commit = Number(all?.getPosition()?.getCommitPosition() ?? 0);
  if (options.getReadDirection() === BACKWARDS) return allBackwards(log, all?.hasEnd() ? undefined : commit);
  return allForwards(log, all?.hasEnd() ? Number.MAX_SAFE_INTEGER : commit);
}

function streamSource(log: EventLog, stream: string, options: ReadOptions): RecordSource {
  const from = options.getStream();
  const revision = from?.hasRevision() ? Number(from.getRevision()) : 0;
  if (options.getReadDirection() === BACKWARDS)
    return streamBackwards(log, stream, from?.hasEnd() ? undefined : revision);
  return streamForwards(log, stream, from?.hasEnd() ? Number.MAX_SAFE_INTEGER : revision);
}
