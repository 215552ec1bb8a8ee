import type { AccountEventRow } from '../../../projections/read-models/account-event.ts';
import { isAfter } from '../../event-store/client/position.ts';
import type { Place } from '../../../commands/process-managers/engine/overdue.ts';
import type { OpenDeliveries } from '../../../commands/process-managers/webhook-delivery/sweep.ts';
import {
  ReadModelBehind,
  type ReplaySource,
} from '../../../commands/process-managers/webhook-delivery/index.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

/** Milliseconds to wait for the read models. */
const waitMs = 1000;

/** The read models' queries for a replay. */
export const replaySource = (world: World, life: Life): ReplaySource => ({
  reach: async (_accountId, position) => {
    const { schedule, reads } = world;
    if (isAfter(position, reads.checkpoint)) await schedule.sleep(life, waitMs);
    await schedule.turn(life, 'look how far the read models are');
    if (isAfter(position, reads.checkpoint)) throw new ReadModelBehind(position);
  },
  eventsOf: async (accountId, { since, until, types, after, before, limit }) => {
    await world.schedule.turn(life, `look up events of ${accountId}`);
    const isMeant = ({ account_id, created_at, type }: AccountEventRow): boolean =>
      account_id === accountId && since <= created_at && created_at < until && types.some((t) => t === type);
    return [...world.reads.accountEvents.rows.values()]
      .filter(isMeant)
      .map(({ id, stream, revision }) => ({ id, stream, revision: BigInt(revision) }))
      .map((event) => ({ ...event, position: placeOf(world, event) }))
      .filter(
        ({ position }) => isAfter(before, position) && (after === undefined || isAfter(position, after)),
      )
      .slice(0, limit);
  },
  openDeliveries: async (replayIds, limit) => {
    await world.schedule.turn(life, `count what is open of ${replayIds.join(', ')}`);
    const rows = [...world.reads.webhookDeliveries.rows.values()];
    const open = rows.filter(
      ({ replay_id, next_attempt_at }) =>
        replay_id !== null && replayIds.includes(replay_id) && next_attempt_at !== null,
    );
    return Math.min(open.length, limit);
  },
  running: async () => {
    await world.schedule.turn(life, 'look up replays');
    const rows = [...world.reads.webhookReplays.rows.values()];
    return rows.filter(({ status }) => status === 'running').map(({ endpoint_id }) => endpoint_id);
  },
});

/** The read models' queries for the sweep of deliveries. */
export const openDeliveries = ({ schedule, reads }: World, life: Life): OpenDeliveries => ({
  due: async (by, after, limit) => {
    await schedule.turn(life, 'look up due deliveries');
    const open = [...reads.webhookDeliveries.rows.values()].flatMap(
      ({ id, attempt_count, next_attempt_at }) =>
        next_attempt_at === null ? [] : [{ id, attempt_count, next_attempt_at: new Date(next_attempt_at) }],
    );
    return open
      .filter((row) => row.next_attempt_at <= by && inOrder(row, after) > 0)
      .sort(inOrder)
      .slice(0, limit);
  },
  ofGone: async (since, limit) => {
    await schedule.turn(life, 'look up deliveries of endpoints that are gone');
    const isGone = (id: string): boolean => {
      const { disabled_at = null, deleted_at = null } = reads.webhooks.rows.get(id) ?? {};
      return [disabled_at, deleted_at].some((at) => at !== null && Date.parse(at) > since.getTime());
    };
    return [...reads.webhookDeliveries.rows.values()]
      .filter(({ next_attempt_at, endpoint_id }) => next_attempt_at !== null && isGone(endpoint_id))
      .map(({ id }) => id)
      .slice(0, limit);
  },
});

const inOrder = (one: Place, other: Place): number =>
  one.next_attempt_at.getTime() - other.next_attempt_at.getTime() || (one.id < other.id ? -1 : 1);

function placeOf({ store }: World, { stream, revision }: { stream: string; revision: bigint }) {
  const event = store.stream(stream)[Number(revision)];
  if (event === undefined) throw new Error(`${stream} has no revision ${revision}`);
  return event.position;
}
