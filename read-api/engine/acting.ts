import { roleSuffices, type FindTeamCaller } from '../../infra/http/index.ts';
import { CachedReads } from '../../infra/platform/cache.ts';
import { membershipOn } from '../../projections/queries/team.ts';
import type { Reader } from './credentials.ts';
import { behind, type FreshReads } from './fresh-reads.ts';

/**
 * Resolves a caller's membership on an owner's team, for the rate bucket and the role check. A membership is cached, and checked
 * again by the read itself, in its own snapshot. Its absence is never cached.
 */
export function createActFor(reads: FreshReads, cacheMs: number): FindTeamCaller<Reader> {
  const known = new CachedReads<Awaited<ReturnType<typeof lookUp>>>({
    maxAgeMs: cacheMs,
    isCacheable: (found) => found?.suspended_at === null,
  });
  const lookUp = async ({ actorId }: Reader, owner: Reader['accountId']) => {
    const { rows, stale } = await reads.read(membershipOn, { accountId: owner, memberId: actorId });
    if (rows[0] === undefined && stale) throw behind();
    return rows[0];
  };
  return async (caller, owner, needed) => {
    const key = `${owner} ${caller.actorId}`;
    const look = () => known.get(key, () => lookUp(caller, owner));
    let found = await look();
    if (found !== undefined && !roleSuffices(found.role, needed)) {
      known.forget(key);
      found = await look();
    }
    if (found === undefined) return undefined;
    const { role, tier, suspended_at } = found;
    return { caller: { ...caller, accountId: owner, tier }, role, isOwnerSuspended: suspended_at !== null };
  };
}
