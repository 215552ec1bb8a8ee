import { shared, streams, type ReadReq } from '../protobuf/vendor.ts';
import type { Position, ReadAllOptions } from './types.ts';

const { ReadReq: Request } = streams;
const { Options } = Request;

const everything = Number.MAX_SAFE_INTEGER;

/** Number of events that the server searches between two checkpoints of a filtered subscription. */
const searchWindow = 32;

export type Direction = 'forwards' | 'backwards';

export interface StreamRange {
  readonly stream: string;
  /** Inclusive in both directions. */
  readonly from: bigint | 'start' | 'end';
  readonly direction: Direction;
  readonly limit: number | undefined;
}

export interface LogRange {
  /** As in the server's API: inclusive forwards, exclusive backwards, exclusive for subscriptions. */
  readonly from: Position | 'start' | 'end';
  readonly direction: Direction;
  readonly limit: number | undefined;
  readonly filter: LogFilter;
}

/** Prefixes of streams' names or of event types; the store filters by one of the two. Without either there is no filter. */
export type LogFilter = Pick<ReadAllOptions, 'prefixes' | 'types'>;

export const isFilter = ({ prefixes = [], types = [] }: LogFilter): boolean =>
  prefixes.length + types.length > 0;

export function readStreamRequest({ stream, from, direction, limit }: StreamRange): ReadReq {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
  const place = new Options.StreamOptions().setStreamIdentifier(identifier);
  if (from === 'start') place.setStart(new shared.Empty());
  else if (from === 'end') place.setEnd(new shared.Empty());
  else place.setRevision(from.toString());
  return request(
    options(direction)
      .setStream(place)
      .setNoFilter(new shared.Empty())
      .setCount(String(limit ?? everything)),
  );
}

export const readAllRequest = ({ from, direction, limit, filter }: LogRange): ReadReq =>
  request(
    filtered(options(direction).setAll(placeInLog(from)), filter).setCount(String(limit ?? everything)),
  );

export const subscribeRequest = (from: Position | 'start', filter: LogFilter): ReadReq =>
  request(
    filtered(options('forwards').setAll(placeInLog(from)), filter).setSubscription(
      new Options.SubscriptionOptions(),
    ),
  );

type ReadOptions = InstanceType<typeof Options>;

const request = (chosen: ReadOptions): ReadReq => new Request().setOptions(chosen);

const options = (direction: Direction): ReadOptions =>
  new Options()
    .setReadDirection(Options.ReadDirection[direction === 'forwards' ? 'FORWARDS' : 'BACKWARDS'])
    .setResolveLinks(false)
    .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()));

function placeInLog(from: Position | 'start' | 'end'): InstanceType<typeof Options.AllOptions> {
  const place = new Options.AllOptions();
  if (from === 'start') return place.setStart(new shared.Empty());
  if (from === 'end') return place.setEnd(new shared.Empty());
  return place.setPosition(
    new Options.Position()
      .setCommitPosition(from.commit.toString())
      .setPreparePosition(from.prepare.toString()),
  );
}

function filtered(chosen: ReadOptions, filter: LogFilter): ReadOptions {
  if (!isFilter(filter)) return chosen.setNoFilter(new shared.Empty());
  const { prefixes, types = [] } = filter;
  const names = new Options.FilterOptions.Expression().setPrefixList([...(prefixes ?? types)]);
  const options = new Options.FilterOptions().setMax(searchWindow).setCheckpointintervalmultiplier(1);
  return chosen.setFilter(prefixes ? options.setStreamIdentifier(names) : options.setEventType(names));
}
