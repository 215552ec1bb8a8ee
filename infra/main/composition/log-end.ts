import { setTimeout as delay } from 'node:timers/promises';
import { allPrefixes } from '../../../projections/catalogue.ts';
import { origin } from '../../event-store/client/position.ts';
import { lastPosition, type EventStore, type Position } from '../../event-store/client/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { onceAnswered } from './once-answered.ts';

/** Maximum wait of a start for the event store, in milliseconds. */
const longestMs = 2_000;

/**
 * The last event for the read models at the start of this process; the log's origin until the event store answers. Resolves when it
 * does, or after two seconds.
 */
export async function logEndAtStart(
  context: Pick<RoleContext, 'logger' | 'lifetime'>,
  store: Pick<EventStore, 'readAll'>,
): Promise<() => Position> {
  let end = origin;
  const read = onceAnswered(context, async () => {
    end = (await lastPosition(store, allPrefixes)) ?? origin;
  }).catch(() => undefined);
  await Promise.race([read, delay(longestMs, undefined, { ref: false })]);
  return () => end;
}
