import { acceptsEventStream, eventStreamHeaders, frame, type Call, type Reply } from '../infra/http/index.ts';
import { isAfter, origin, parsePosition } from '../infra/event-store/client/position.ts';
import type { EventStore } from '../infra/event-store/client/types.ts';
import { openRows, type Opening } from '../infra/personal/text.ts';
import { fromColumns } from '../infra/postgres/position-columns.ts';
import { accountEventList } from '../projections/queries/account-event.ts';
import type { Reader } from './engine/credentials.ts';
import { foreignCursor, type Cursors, type Keyset } from './engine/cursors.ts';
import { tooManyStreams } from './engine/event-streams.ts';
import { duringOutage } from './engine/log-outage.ts';
import type { Freshness, Read } from './engine/reading.ts';
import type { Feeds } from './feed/hub.ts';
import type { FeedPage } from './feed/listener.ts';

const route = 'events.list';
type EventsCall = Call<typeof route, Reader, never>;

/** Before every event of the log. */
const start: Keyset = ['-1', '-1'];
/** Events that a stream reads at once. */
const batch = 100;

interface PlacedEvents {
  readonly events: readonly { readonly event: unknown; readonly place: Keyset }[];
  readonly hasMore: boolean;
  readonly freshness: Freshness;
}
interface Ports {
  readonly store: Pick<EventStore, 'head'>;
  readonly vault: Opening;
  readonly feeds: Feeds;
}

type EventsAfter = (call: EventsCall, place: Keyset, limit: number) => Promise<PlacedEvents>;

/**
 * The feed of an account's events, in the order of the log. A page extends as far as the read model, which has every event before
 * its last one, so that a reader who follows the cursor misses none. A stream sends the same events, each with its cursor as id.
 */
export function eventReads(read: Read, cursors: Cursors, { store, vault, feeds }: Ports) {
  const eventsAfter: EventsAfter = async (call, place, limit) => {
    const [commit = '', prepare = ''] = place;
    const { accountId } = call.caller;
    const parameters = { accountId, commit, prepare, limit: limit + 1 };
    const { rows, freshness } = await read(call, accountEventList, parameters);
    await assertInLog(store, place, freshness);
    const shown = rows.slice(0, limit);
    const bodies = shown.map(({ body }): unknown => JSON.parse(body));
    const opened = await openRows(vault, bodies);
    const events = shown.map(({ commit_position, prepare_position }, index) => ({
      event: opened[index],
      place: [commit_position, prepare_position],
    }));
    return { events, hasMore: rows.length > limit, freshness };
  };
  return {
    [route]: {
      run: (call: EventsCall) =>
        acceptsEventStream(call.request)
          ? eventStream(call, eventsAfter, cursors, feeds)
          : eventPage(call, eventsAfter, cursors),
    },
  };
}

async function eventPage(call: EventsCall, eventsAfter: EventsAfter, cursors: Cursors): Promise<Reply> {
  const { accountId } = call.caller;
  const { limit = 50, after } = call.query;
  const place = placeOf(cursors, accountId, after);
  const { events, hasMore, freshness } = await eventsAfter(call, place, limit);
  const body = {
    data: events.map(({ event }) => event),
    has_more: hasMore,
    next_cursor: cursors.encode(route, accountId, events.at(-1)?.place ?? place),
  };
  return { body, ...freshness };
}

async function eventStream(
  call: EventsCall,
  eventsAfter: EventsAfter,
  cursors: Cursors,
  feeds: Feeds,
): Promise<Reply> {
  const { accountId, actorId, credentialId } = call.caller;
  const { query, request } = call;
  const lastEventId = request.header('last-event-id') ?? '';
  const after = placeOf(cursors, accountId, lastEventId === '' ? query.after : lastEventId);
  // Refuses the caller or the place before the stream begins.
  const { freshness } = await eventsAfter(call, after, 0);
  const pageAfter = async (place: Keyset): Promise<FeedPage> => {
    const { events, hasMore } = await eventsAfter(call, place, batch);
    const frames = events.map((each) => {
      const id = cursors.encode(route, accountId, each.place);
      return frame({ event: 'notification', id, data: each.event });
    });
    return { frames: frames.join(''), place: events.at(-1)?.place ?? place, hasMore };
  };
  const asked = { accountId, actorId, credentialId, after, pageAfter };
  const body = await duringOutage('Streams of events', () => feeds.stream(asked));
  if (body === null) throw tooManyStreams('event');
  return { body, ...freshness, headers: { ...freshness.headers, ...eventStreamHeaders } };
}

/**
 * Refuses a place ahead of the log, as after a restore of an older copy: the events up to it would be skipped. The log is asked
 * only if the read models are behind the place; their position may itself be ahead of the last event.
 */
async function assertInLog(
  store: Ports['store'],
  [commit_position = '', prepare_position = '']: Keyset,
  { position: reached = origin }: Freshness,
): Promise<void> {
  const place = fromColumns({ commit_position, prepare_position });
  if (!isAfter(place, reached)) return;
  const head = await duringOutage('Events after this position', () => store.head());
  if (head === undefined || isAfter(place, head)) throw foreignCursor();
}

/** The place of a cursor or of the position of an answer; without either, before the account's first event. */
const placeOf = (cursors: Cursors, accountId: Reader['accountId'], after: string | undefined): Keyset =>
  placeIn(after) ?? cursors.decode(route, accountId, after) ?? start;

/** A log position that is not a page's cursor: for clients that start at the position of an answer. */
function placeIn(after: string | undefined): Keyset | undefined {
  const position = parsePosition(after ?? '');
  return position && [String(position.commit), String(position.prepare)];
}
