import { parsePosition } from '../../infra/event-store/client/position.ts';
import { roleSuffices, type FindTeamCaller, type RequestFacts } from '../../infra/http/index.ts';
import { CachedReads } from '../../infra/platform/cache.ts';
import { membershipOn } from '../../projections/queries/team.ts';
import type { Reader } from './credentials.ts';
import { behind, type FreshReads } from './fresh-reads.ts';

/**
 * Resolves a caller's membership on an owner's team, for the rate bucket and the role check. A membership is cached, and checked
 * again by the read itself, in its own snapshot. Its absence is never cached, and refuses only a request that began before it was read.
 */
export function createActFor(reads: FreshReads, cacheMs: number): FindTeamCaller<Reader> {
  const known = new CachedReads<Awaited<ReturnType<typeof lookUp>>>({
    maxAgeMs: cacheMs,
    isCacheable: (found) => found?.suspended_at === null,
  });
  const lookUp = async (
    { actorId }: Reader,
    owner: Reader['accountId'],
    request: Pick<RequestFacts, 'header'>,
  ) => {
    const parameters = { accountId: owner, memberId: actorId };
    // An invalid position is refused by the read itself, after a caller who is not on the team.
    const atLeast = parsePosition(request.header('x-service-min-position') ?? '');
    const { rows, stale } = await reads.read(membershipOn, parameters, {
      actorId,
      ...(atLeast && { atLeast }),
    });
    if (rows[0] === undefined && stale) throw behind();
    return rows[0];
  };
  return async (caller, owner, needed, request) => {
    const key = `${owner} ${caller.actorId}`;
    const own = { looks: 0 };
    const look = () =>
      known.get(key, () => {
        own.looks += 1;
        return lookUp(caller, owner, request);
      });
    let found = await look();
    if (own.looks === 0 && (found === undefined || !roleSuffices(found.role, needed))) {
      known.forget(key);
      found = await look();
    }
    if (found === undefined) return undefined;
    const { role, tier, suspended_at } = found;
    return { caller: { ...caller, accountId: owner, tier }, role, isOwnerSuspended: suspended_at !== null };
  };
}
