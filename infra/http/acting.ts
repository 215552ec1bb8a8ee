import type { Response } from 'express';
import { parseId, type AccountId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { isAddressBucket, type Bucket } from '../../contracts/rate-buckets.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { invalid, isRateLimited } from './problem.ts';
import type { Identity, RateVerdict, RequestFacts } from './types.ts';

/** A caller acting on the account of an owner, as a member of the owner's team. */
export interface TeamCaller<Caller> {
  /** The same credential, with the owner's account and its limits. */
  readonly caller: Caller;
  readonly role: Route['role'];
  readonly isOwnerSuspended: boolean;
}

/**
 * Looks up the caller on the owner's team; undefined for no member, and for a missing owner. A cached role suffices unless it is
 * lower than required.
 */
export type FindTeamCaller<Caller> = (
  caller: Caller,
  owner: AccountId,
  needed: Route['role'],
  request: Pick<RequestFacts, 'header'>,
) => Promise<TeamCaller<Caller> | undefined>;

/** The caller with the account that the request acts on, or a refusal that is sent only if no 403 precedes it. */
export type Acting<Caller> = { readonly caller: Caller } | { readonly refusal: Refusal };

/**
 * Resolves the account that the request acts on. Throws for a member whose role is too low, and for every caller while the owner
 * is suspended. It may look the team up, so the caller's token is spent first.
 */
export async function actingFor<Caller extends Identity>(
  route: Route,
  caller: Caller,
  request: Pick<RequestFacts, 'header'>,
  findTeamCaller: FindTeamCaller<Caller>,
): Promise<Acting<Caller>> {
  const header = request.header('x-service-account');
  if (route.accountHeader === 'ignored' || header === undefined) return { caller };
  const owner = parseId('account', header);
  if (owner === undefined) {
    const error = { path: '/headers/x-service-account', code: 'pattern', message: 'must be acc_<uuid>' };
    return { refusal: invalid(error) };
  }
  if (owner === caller.accountId) return { caller };
  const found = await findTeamCaller(caller, owner, route.role, request);
  if (found === undefined) return { refusal: refuse('not-found') };
  if (found.isOwnerSuspended) throw refuse('forbidden', "The owner's account is suspended.");
  if (!roleSuffices(found.role, route.role)) throw roleTooLow();
  return { caller: found.caller };
}

export const roleSuffices = (role: Route['role'], needed: Route['role']): boolean =>
  role === 'admin' || needed === 'member';

export const roleTooLow = (): Refusal =>
  refuse('forbidden', "This needs the role admin on the owner's team.");

/**
 * Takes a token from the owner's bucket too. A refused caller gets the time to wait, but not the owner's limit; its own token
 * stays spent.
 */
export async function spendOwnerToken<Caller>(
  limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>,
  acting: Caller,
  bucket: Route['bucket'],
  response: Pick<Response, 'removeHeader'>,
): Promise<void> {
  if (bucket === null || isAddressBucket(bucket)) return;
  try {
    await limit(acting, bucket);
  } catch (error) {
    if (!isRateLimited(error)) throw error;
    for (const name of ['RateLimit', 'RateLimit-Policy']) response.removeHeader(name);
    const { retry_after_seconds = 1 } = error.extensions;
    throw refuse('rate-limited', undefined, { retry_after_seconds });
  }
}
