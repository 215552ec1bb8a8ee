import { Refusal, refuse, type ProblemSlug } from '../../contracts/problems.ts';
import { exists, type Existing } from './find-owned.ts';
import type { Clock } from '../../infra/platform/clock.ts';

/** How long a reservation may be without its resource before whoever made it counts as dead, milliseconds. */
const reservationLeaseMs = 60_000;

/** The resource of a reservation this old, if it is not there yet, was to be made by a request that died. */
export const isAbandoned = (since: string, now: Date): boolean =>
  Date.parse(since) + reservationLeaseMs <= now.getTime();

/** Reserves; when that is refused for one of these reasons, once more after the reservations were looked through. */
export async function reserveOrReclaim<Reservation>(
  reserve: () => Promise<unknown>,
  reservations: () => Promise<readonly Reservation[]>,
  reclaim: (reservation: Reservation) => Promise<unknown>,
  reasons: readonly ProblemSlug[] = ['tier-limit'],
): Promise<void> {
  try {
    await reserve();
  } catch (error) {
    if (!(error instanceof Refusal) || !reasons.includes(error.slug)) throw error;
    for (const each of await reservations()) await reclaim(each);
    await reserve();
  }
}

/** How the quota of a noun is reserved and released, and which of its resources no longer hold theirs. */
export interface ResourceQuota<Id extends string, State extends { readonly status: string }> {
  readonly clock: Clock;
  readonly reserve: () => Promise<unknown>;
  readonly release: (id: Id) => Promise<unknown>;
  readonly reservations: () => Promise<readonly { readonly id: Id; readonly since: string }[]>;
  readonly resource: (id: Id) => Promise<{ readonly state: State }>;
  readonly hasEnded: (resource: Existing<State>, now: Date) => boolean;
}

/**
 * Reserves; at the limit, once more after releasing what resources that ended, or never came, still hold. Refuses once
 * half of the lease is gone: by the time the next append is stored, the reservation could be somebody else's.
 */
export async function reserveQuota<Id extends string, State extends { readonly status: string }>({
  clock,
  reserve,
  release,
  reservations,
  resource,
  hasEnded,
}: ResourceQuota<Id, State>): Promise<void> {
  const startedAt = clock.now().getTime();
  await reserveOrReclaim(reserve, reservations, async ({ id, since }) => {
    const { state } = await resource(id);
    const now = clock.now();
    if (exists(state) ? hasEnded(state, now) : isAbandoned(since, now)) await release(id);
  });
  assertInTime(clock, startedAt);
}

/** Refuses once half of the lease is gone since the reservation was begun. */
export function assertInTime(clock: Clock, startedAt: number): void {
  if (clock.now().getTime() - startedAt < reservationLeaseMs / 2) return;
  throw refuse('feature-unavailable', 'The request was held up and nothing was made. It may be sent again.', {
    retry_after_seconds: 2,
  });
}
