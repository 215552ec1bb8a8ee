import type { AccountId } from '../../../../contracts/ids.ts';
import type { Route } from '../../../../contracts/routes/index.ts';
import { actingFor, spendOwnerToken } from '../../../http/acting.ts';
import type { FindTeamCaller, Identity } from '../../../http/index.ts';
import type { RateLimits } from '../../../rate-limits/index.ts';
import type { Work } from './cpu-in-turns.ts';

/** The part of the guard that concerns the account of a request. */
export interface Guard {
  readonly withHeader: Work;
  readonly without: Work;
}

const noResponse = { removeHeader: () => undefined };

export function guardOf<Caller extends Identity>(
  route: Route,
  caller: Caller,
  owner: AccountId,
  ports: { readonly findTeamCaller: FindTeamCaller<Caller>; readonly limit: RateLimits['consume'] },
): Guard {
  const guard = async (account: string | undefined): Promise<void> => {
    const header = (name: string) => (name === 'x-service-account' ? account : undefined);
    const acting = await actingFor(route, caller, { header }, ports.findTeamCaller);
    if ('refusal' in acting) throw acting.refusal;
    if (acting.caller !== caller) await spendOwnerToken(ports.limit, acting.caller, route.bucket, noResponse);
  };
  return { withHeader: () => guard(owner), without: () => guard(undefined) };
}
