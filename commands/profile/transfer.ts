import type { ProfileEvent } from '../../contracts/events/profile.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { parseProfileId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { profileCap } from '../../contracts/tiers.ts';
import { account } from '../../domain/account.ts';
import { hasReceived, isOffered, profile } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { after } from '../../domain/kit/time.ts';
import { now, ownedContext, stepContext, type Caller, type CommandContext } from '../engine/context.ts';
import { release, reservedAt, withReservation } from '../engine/reservations.ts';
import { actingContext } from '../team/index.ts';
import type { Owner } from './add.ts';
import { changed, run, type Changed } from './find.ts';
import { offerMs, type ProfilePorts } from './ports.ts';
import { profileReservations } from './reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** The expiry of an offer; null if the profile was transferred at once. */
export interface Transferred {
  readonly expiresAt: string | null;
  readonly position: Changed['position'];
}

/**
 * Offers the profile to another account; an offer replaces the previous one. A caller who may act on both accounts, as the owner
 * of one and an admin of the other, accepts in the same request. Nobody accepts for a suspended account: it gets the offer.
 */
export async function transfer(
  ports: ProfilePorts,
  caller: Pick<Caller, 'accountId' | 'actorId' | 'context'>,
  found: ActiveProfile,
  toAccountId: AccountId,
): Promise<Transferred> {
  if (toAccountId === found.accountId)
    throw invalid({ path: '/body/to_account_id', code: 'const', message: 'must be another account' });
  const { state: target } = await ports.runner.load(account, uuidOf(toAccountId));
  if (target.status === 'none' || target.status === 'erased')
    throw refuse('not-found', 'There is no such account.');
  const isBoths = target.status === 'active' && (await mayActOnBoth(ports, caller, toAccountId));
  const at = now(ports);
  const expiresAt = after(at, offerMs);
  const command = { type: 'OfferTransfer', toAccountId, expiresAt, at } as const;
  const offer = async () => changed(await run(ports, found, command, caller.context, 'offer'));
  if (!isBoths) return { expiresAt, position: (await offer()).position };
  const taker = { accountId: toAccountId, profileCap: profileCap(target) };
  const by = {
    giver: ownedContext(caller.context, found.accountId),
    taker: actingContext(caller.context, toAccountId, caller.actorId),
  };
  const { position } = await takeOver(ports, taker, found, by, offer);
  return { expiresAt: null, position };
}

/** Whether the caller may act on the profile's account: as its owner, or as an admin on its team. */
const mayActOnBoth = async (
  ports: ProfilePorts,
  { accountId, actorId }: Pick<Caller, 'accountId' | 'actorId'>,
  target: AccountId,
): Promise<boolean> =>
  actorId === accountId ? (await ports.roleOn(target, actorId)) === 'admin' : target === actorId;

/** A profile offered to the account, or accepted by it; throws `not-found` for any other. */
export async function findOffered(
  ports: CommandPorts,
  accountId: AccountId,
  text: string,
): Promise<ActiveProfile> {
  const id = parseProfileId(text);
  const state = id === undefined ? undefined : (await ports.runner.load(profile, uuidOf(id))).state;
  if (state?.status !== 'active') throw refuse('not-found');
  if (hasReceived(state, accountId) || isOffered(state, accountId, now(ports))) return state;
  throw refuse('not-found');
}

export const acceptTransfer = async (
  ports: ProfilePorts,
  owner: Owner,
  found: ActiveProfile,
  context: CommandContext,
): Promise<Changed> =>
  hasReceived(found, owner.accountId)
    ? { profile: found, position: undefined }
    : takeOver(ports, owner, found, {
        giver: acceptedBy(owner.accountId, found.accountId, context),
        taker: ownedContext(context, owner.accountId),
      });

/** An acceptance as the giver's audit log shows it: by the other account, without the member, key, request and address. */
const acceptedBy = (taker: AccountId, giver: AccountId, context: CommandContext): CommandContext => ({
  ...context,
  actor: { kind: context.actor.kind, account_id: giver, actor_account_id: taker },
  ...{ requestId: null, ip: null, userAgent: null },
});

/** The context of a transfer on each of the two accounts. */
interface TransferContexts {
  readonly giver: CommandContext;
  readonly taker: CommandContext;
}

/**
 * Reserves name and quota in the target, transfers the profile, which one append records for both accounts, and releases the
 * source's reservation. After a crash before the transfer, the target's reservation is reclaimed, after it the source's: in both cases
 * the profile is in the other account.
 */
async function takeOver(
  ports: ProfilePorts,
  { accountId, profileCap: limit }: Pick<Owner, 'accountId' | 'profileCap'>,
  found: ActiveProfile,
  by: TransferContexts,
  before: () => Promise<unknown> = async () => undefined,
): Promise<Changed> {
  const { profileId: id, accountId: source, name } = found;
  const of = profileReservations(ports);
  const madeAt = await reservedAt(of, source, id);
  const accept = async (reservedAt: string | undefined) => {
    await before();
    const command = { type: 'AcceptTransfer', accountId, name, reservedAt, at: now(ports) } as const;
    const step = stepContext(by.taker, 'accept-transfer');
    const contextOf = ({ type, data }: ProfileEvent) =>
      type === 'ProfileHandedOver' ? ownedContext(by.giver, data.accountId) : step;
    return changed(await ports.runner.run(profile, uuidOf(id), command, step, { contextOf }));
  };
  const taken = await withReservation(of, { accountId, id, name, limit }, accept, by.taker);
  if (taken.position !== undefined) await ports.recordPosition(accountId, taken.position);
  const given = { accountId: source, id, name: null, madeAt };
  const { position = taken.position } = await release(of, given, by.giver);
  if (position !== undefined) await ports.recordPosition(source, position);
  return taken;
}
