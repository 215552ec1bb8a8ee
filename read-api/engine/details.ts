import { invalid } from '../../contracts/field-errors.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { HistoryEntry } from '../../contracts/resources/history.ts';
import { isAfter, parsePosition, positionText } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import type { Reply } from '../../infra/http/index.ts';
import { openRows, type Opening } from '../../infra/personal/text.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { FairTurns } from '../../infra/platform/fair-turns.ts';
import {
  rowAt,
  rowsAround,
  stepsOf,
  type ResourcePast,
  type Step,
  type Steps,
} from '../../projections/engine/past.ts';
import { changesBetween } from './changes.ts';
import type { Reader } from './credentials.ts';
import type { Cursors } from './cursors.ts';
import { entryOf, isAudited } from './history-entry.ts';
import { duringOutage } from './log-outage.ts';
import type { MomentIn } from './moments.ts';
import { notFound } from './reading.ts';
import type { Asked, Found, Resource } from './resource.ts';

interface Ports {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Opening;
  readonly momentIn: MomentIn;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

interface Query {
  readonly as_of?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

type Call<Row, Of> = Of & { readonly query: Query; readonly found: Found<Row> };

interface Handler<Row, Of extends AnyAsked> {
  readonly exists: (
    caller: Of['caller'],
    params: Of['params'],
    request: Of['request'],
  ) => Promise<Found<Row>>;
  readonly run: (call: Call<Row, Of>) => Promise<Reply>;
}

type AnyAsked = Asked<Reader | null>;

/** A resource with the ports of its past; `list` names its history in cursors. */
interface Subject<Row, Of extends AnyAsked> extends Ports {
  readonly list: string;
  readonly resource: Resource<Row, Of>;
  readonly inTurn: ReturnType<typeof takingTurns>;
}

/**
 * Pasts that are folded at once in this process, in all and for one account. Each reads its stream from the first event, also for one page: a
 * stream may have millions, and all reads share the processor.
 */
const folds = { total: 3, perKey: 2 } as const;

function takingTurns() {
  const turns = new FairTurns(folds);
  return <Result>(caller: Reader | null, fold: () => Promise<Result>): Promise<Result> =>
    turns.hold(caller?.accountId ?? 'anyone', () => duringOutage('The past', fold));
}

export type Details = ReturnType<typeof createDetails>;

/**
 * Handles the routes `<name>.get` and `<name>.past` of resources. Access is decided by the present state; the past is folded from
 * the log on request, and nothing is recorded.
 */
export const createDetails =
  (ports: Ports, inTurn = takingTurns()) =>
  <const Name extends string, Row, Of extends AnyAsked>(name: Name, resource: Resource<Row, Of>) => {
    const subject: Subject<Row, Of> = { ...ports, list: `${name}.past`, resource, inTurn };
    const handler = (answer: (subject: Subject<Row, Of>, call: Call<Row, Of>) => Promise<Reply>) => ({
      exists: (caller: Of['caller'], params: Of['params'], request: Of['request']) =>
        resource.find({ caller, params, request } as Of),
      run: (call: Call<Row, Of>) => answer(subject, call),
    });
    return { [`${name}.get`]: handler(detail), [`${name}.past`]: handler(history) } as Record<
      `${Name}.get` | `${Name}.past`,
      Handler<Row, Of>
    >;
  };

async function detail<Row, Of extends AnyAsked>(
  subject: Subject<Row, Of>,
  { caller, query, found }: Call<Row, Of>,
): Promise<Reply> {
  const { resource, momentIn, clock, inTurn } = subject;
  const { freshness, stale } = found;
  if (query.as_of === undefined) {
    const body = await resource.show(found.row, clock.now());
    if (body === undefined) throw notFound(stale);
    return { body, ...freshness };
  }
  const { position, at } = await momentIn('as_of', query.as_of, found.seen);
  const row = await inTurn(caller, () => rowAt(folding(subject, found, position)));
  const body = await bodyOf(subject, found, row, at);
  if (body === undefined) throw notFound(false);
  return { body, ...freshness, headers: { ...freshness.headers, 'X-Service-As-Of': positionText(position) } };
}

const history = <Row, Of extends AnyAsked>(subject: Subject<Row, Of>, call: Call<Row, Of>): Promise<Reply> =>
  call.query.from === undefined && call.query.to === undefined
    ? historyPage(subject, call)
    : foldedHistory(subject, call);

/** A page of a resource's changes, newest first. A cursor contains the position of the last entry. */
async function historyPage<Row, Of extends AnyAsked>(
  subject: Subject<Row, Of>,
  { caller, query, found }: Call<Row, Of>,
): Promise<Reply> {
  const { limit = 50, cursor } = query;
  const accountId = caller?.accountId;
  const cursors = cursorsOf(subject, found, accountId);
  const before = cursors.before(cursor);
  const shownOf = async ({ steps, isWhole }: Steps<Row>) => {
    const shown: { readonly step: Step<Row>; readonly entry: HistoryEntry }[] = [];
    for (const step of steps.toReversed()) {
      const changes = await changesOf(subject, found, step);
      if (changes.length > 0 || isOwnAct(found, step))
        shown.push({ step, entry: entryOf(step.event, changes, accountId) });
      if (shown.length > limit) return shown;
    }
    return isWhole ? shown : undefined;
  };
  const steps = (most?: number) =>
    subject.inTurn(caller, () => stepsOf(folding(subject, found, before), most));
  // Nearly all steps of a resource are shown, so reading more is rare.
  const shown = (await shownOf(await steps(4 * limit))) ?? (await shownOf(await steps())) ?? [];
  const last = shown.length > limit ? shown[limit - 1] : undefined;
  const body = {
    data: shown.slice(0, limit).map(({ entry }) => entry),
    has_more: last !== undefined,
    next_cursor: last === undefined ? '' : cursors.after(last.step.event.position),
  };
  return { body, ...found.freshness };
}

/** Cursors of one resource's history. */
function cursorsOf<Row, Of extends AnyAsked>(
  { cursors, list }: Subject<Row, Of>,
  { streams: [own] }: Found<Row>,
  accountId: AccountId | '' = '',
) {
  const ofOne = `${list} ${own}`;
  return {
    after: ({ commit, prepare }: Position) =>
      cursors.encode(ofOne, accountId, [String(commit), String(prepare)]),
    /** The last position before the page's end. */
    before(cursor: string | undefined): Position | undefined {
      const [commit, prepare] = cursors.decode(ofOne, accountId, cursor) ?? [];
      if (commit === undefined || prepare === undefined) return undefined;
      return { commit: BigInt(commit), prepare: BigInt(prepare) - 1n };
    },
  };
}

/** True for a caller's action on the resource, even if its body does not change. */
const isOwnAct = <Row>({ streams }: Found<Row>, { event }: Step<Row>): boolean =>
  event.stream === streams[0] && isAudited(event);

/** All changes between two moments as one entry, with the other fields of the last event. */
async function foldedHistory<Row, Of extends AnyAsked>(
  subject: Subject<Row, Of>,
  { caller, query, found }: Call<Row, Of>,
): Promise<Reply> {
  const { from, to } = query;
  const missing = (['from', 'to'] as const).filter((name) => query[name] === undefined);
  if (from === undefined || to === undefined)
    throw invalid(
      ...missing.map((name) => ({ path: `/query/${name}`, code: 'required', message: 'is required' })),
    );
  const [start, end] = await Promise.all([
    subject.momentIn('from', from, found.seen),
    subject.momentIn('to', to, found.seen),
  ]);
  if (isAfter(start.position, end.position))
    throw invalid({ path: '/query/from', code: 'order', message: 'must not be after `to`' });
  // No step in between is kept: a stream may have gigabytes.
  const rows = await subject.inTurn(caller, () =>
    rowsAround(folding(subject, found, end.position), start.position),
  );
  if (rows === undefined) throw notFound(false);
  const changes = changesBetween(
    await bodyOf(subject, found, rows.first, start.at),
    await bodyOf(subject, found, rows.last, end.at),
  );
  const entry = entryOf(rows.event, changes, caller?.accountId);
  const position = positionText(end.position);
  // The moment of an event is its time; end.at is the minute by which it was committed.
  const at = position === entry.position && parsePosition(to) !== undefined ? entry.at : end.at.toISOString();
  return {
    body: { data: [{ ...entry, position, at }], has_more: false, next_cursor: '' },
    ...found.freshness,
  };
}

const folding = <Row, Of extends AnyAsked>(
  { store, resource: { fold } }: Subject<Row, Of>,
  { streams }: Found<Row>,
  upTo: Position | undefined,
): ResourcePast<Row> => ({ store, streams, fold, upTo });

/** The changes of one event: both bodies as of its own time. */
async function changesOf<Row, Of extends AnyAsked>(
  subject: Subject<Row, Of>,
  found: Found<Row>,
  { event, before, after }: Step<Row>,
) {
  if (before === after) return [];
  const at = event.created;
  return changesBetween(await bodyOf(subject, found, before, at), await bodyOf(subject, found, after, at));
}

async function bodyOf<Row, Of extends AnyAsked>(
  { resource, vault }: Subject<Row, Of>,
  found: Found<Row>,
  folded: Row | undefined,
  at: Date,
): Promise<object | undefined> {
  if (folded === undefined) return undefined;
  const [row] = await openRows(vault, [resource.stored(folded, found)]);
  return row === undefined ? undefined : resource.show(row, at);
}
