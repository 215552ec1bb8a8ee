import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import { isAfter, origin, positionText } from '../../infra/event-store/client/position.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { allPrefixes, projections } from '../catalogue.ts';
import { minutesOfLog } from '../read-models/committed-minute.ts';
import { applyBatch } from './apply-batch.ts';
import type { Projection } from './projection.ts';
import { replay, type ReplayOptions } from './replay.ts';
import { createIndexes, createTable, type PastSchema } from './table.ts';

/** A log position, or a time, which includes everything committed by its full minute. */
export type Moment = Position | Date;

export interface PastOptions extends ReplayOptions {
  /** Restricts the past to one account. */
  readonly account?: AccountId | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Every event up to the moment, in order. */
  readonly onEvent?: (event: RecordedEvent) => void;
}

/** The end of a past. */
export interface Reached {
  /** The last position committed by the time, or the given one. */
  readonly position: Position;
  /** The given time. For a position, the minute by which a later event was committed, or now if there is none. */
  readonly at: Date;
}

/** Tables of current data beside read models: empty in a past. */
const signals = ['key_uses', 'card_checks', 'requests'];

/**
 * Builds every read model in the schema from the log up to the moment, in one pass. Profiles belong to their current
 * owner, even if they were transferred after the moment; profiles purged since are left out.
 */
export async function buildPast(
  client: pg.ClientBase,
  schema: PastSchema,
  moment: Moment,
  { account, clock, signal, onEvent, ...options }: PastOptions,
): Promise<Reached> {
  const now = clock.now();
  const upTo = await endOf(options.store, moment, now);
  const end = createEnd(moment, now);
  const built = account === undefined ? projections : projections.map((each) => ofAccount(each, account));
  for (const { table } of built) await client.query(createTable(table, schema, 'unlogged table'));
  const sharedCategories = new Set(built.filter(({ owner }) => !owner).flatMap((each) => each.categories));
  const concerns = (event: RecordedEvent): boolean => {
    onEvent?.(event);
    return account === undefined || sharedCategories.has(event.category) || ownerOf(event) === account;
  };
  const last = await replay(
    { name: 'all read models', prefixes: allPrefixes, concerns },
    { after: origin, upTo, isBeyond: end.isBeyond },
    options,
    async (events) => {
      signal.throwIfAborted();
      await applyBatch(client, { schema, checkpoint: schema }, built, events);
    },
  );
  if (last === undefined) throw await nothingBefore(options.store, moment);
  for (const { table } of built)
    await client.query(`${createIndexes(table, schema)} analyze ${schema}.${table.name};`);
  for (const { completePast } of built) await completePast?.(client, schema);
  for (const table of signals)
    await client.query(`create table ${schema}.${table} (like ephemeral.${table})`);
  return { position: moment instanceof Date ? last.position : moment, at: end.at() };
}

/** Finds the end of a past; called with each event in order. */
function createEnd(moment: Moment, now: Date) {
  const minuteIn = minutesOfLog();
  let superseded = now.getTime();
  return {
    isBeyond: (event: RecordedEvent): boolean => {
      const minute = minuteIn(event);
      const beyond = moment instanceof Date ? minute > moment.getTime() : isAfter(event.position, moment);
      if (beyond) superseded = Math.min(superseded, minute);
      return beyond;
    },
    /** As in `Reached`; valid after the last event. */
    at: (): Date => (moment instanceof Date ? moment : new Date(superseded)),
  };
}

const ofAccount = (projection: Projection, owner: AccountId): Projection =>
  projection.concernsOthers ? projection : { ...projection, owner };

/** @throws for a moment in the future */
async function endOf(store: EventStore, moment: Moment, now: Date): Promise<Position> {
  const head = await store.head();
  if (head === undefined) throw new Error('The log has no events.');
  if (moment instanceof Date) {
    if (moment > now) throw new Error(`${moment.toISOString()} is in the future.`);
    return head;
  }
  if (isAfter(moment, head)) throw new Error(`The log ends at ${positionText(head)}.`);
  return moment;
}

async function nothingBefore(store: EventStore, moment: Moment): Promise<Error> {
  for await (const event of store.readAll({ prefixes: allPrefixes, limit: 1 })) {
    const first = `of ${new Date(minutesOfLog()(event)).toISOString()}`;
    const place = moment instanceof Date ? first : `at ${positionText(event.position)}`;
    return new Error(`The first event of the log is ${place}.`);
  }
  return new Error('The log has no events.');
}
