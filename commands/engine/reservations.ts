import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import {
  sameName,
  type Quota,
  type QuotaChange,
  type QuotaCommand,
  type QuotaDecider,
  type Reservation,
} from '../../domain/kit/quota.ts';
import { isAbandoned } from './abandoned.ts';
import { now, ownedContext, stepContext, type CommandContext } from './context.ts';
import { checkedAlways, checkOnce } from './full-quota.ts';
import { inBatches } from './in-batches.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Runner, RunOutcome } from './runner.ts';

/**
 * The state of a reservation's resource.
 *
 * - `not created`: withdrawn once its reservation is abandoned, so that a slow request cannot create it later.
 * - `ended`: it never needs the reservation again.
 * - `not needed`: it needs no share now, but a request may have reserved in order to restore it.
 * - `present`: it needs its share of the quota, and its name.
 */
export type ReservedResource =
  | { readonly kind: 'not created' | 'ended' | 'not needed' }
  | { readonly kind: 'present'; readonly name: string | null };

/** The stream on which a quota is reserved. */
export interface QuotaStream {
  readonly category: Category;
  readonly run: (
    uuid: string,
    command: QuotaCommand,
    step: CommandContext,
  ) => Promise<Pick<RunOutcome<Quota, unknown>, 'state' | 'position'>>;
  readonly load: (uuid: string) => Promise<Quota>;
  /** The quota change of an event. Absent if the quota is on the account's own stream. */
  changeOf?(event: DomainEvent): QuotaChange;
}

/** A stream with reservations only. */
export const quotaStreamOf = <Event extends DomainEvent>(
  runner: Runner,
  quota: QuotaDecider<string, Event>,
): QuotaStream => ({
  category: quota.category,
  changeOf: quota.changeOf,
  run: (uuid, command, step) => runner.run(quota, uuid, command, step),
  load: async (uuid) => (await runner.load(quota, uuid)).state,
});

/**
 * How a kind of resource reserves shares of a quota, and how to check whether a reserved resource exists. Before a reservation is
 * given to another resource, the first one is withdrawn, or the reservation lapses, on the resource's own stream, which then refuses a
 * late request.
 */
export interface Reservations {
  readonly clock: Clock;
  readonly quota: QuotaStream;
  readonly resourceOf: (id: string, accountId: AccountId) => Promise<ReservedResource>;
  readonly withdraw: (id: string, accountId: AccountId, step: CommandContext) => Promise<unknown>;
  /**
   * Records on the stream of an existing resource that requests with a reservation made at `since` or before are refused. Absent if its
   * kind reserves only for creates.
   */
  readonly lapse?: (id: string, since: string, step: CommandContext) => Promise<unknown>;
}

/** The quota of a noun. */
export interface AccountQuota extends Reservations {
  /** Ends a resource of an erased account. Does nothing if it has ended, was withdrawn, or belongs to another account since. */
  readonly end: (id: string, accountId: AccountId, step: CommandContext) => Promise<unknown>;
}

/** Concurrency of checks of reserved resources. */
const askedAtOnce = 32;

interface Share {
  readonly accountId: AccountId;
  readonly id: string;
  /** Null in a reservation: the noun has no names. Null in a release: release the share and all names. */
  readonly name: string | null;
  /** Uuid of the quota's stream; by default the account's. */
  readonly uuid?: string;
}

interface Limit {
  /** Default: the quota's own limit. */
  readonly limit?: number;
}

/**
 * Reserves a name and a share of the quota; conflicting reservations without a resource are reclaimed first. Resolves
 * to the time of the reservation. For an existing resource it renews the reservation, so that no other process releases
 * the old one meanwhile.
 */
export async function reserve(
  of: Reservations,
  { uuid, limit = Infinity, ...share }: Share & Limit & { readonly renew?: boolean },
  context: CommandContext,
): Promise<string | undefined> {
  const stream = uuid ?? uuidOf(share.accountId);
  const take = async () => {
    const command = { type: 'Reserve', ...share, limit, at: now(of) } as const;
    const { state } = await of.quota.run(stream, command, stepContext(context, `reserve ${share.name}`));
    return madeAt(state, share.id);
  };
  return unblocked(of, { ...share, uuid: stream }, take, context);
}

/** Refuses what `reserve` would refuse now. Reserves nothing; reservations without a resource are reclaimed. */
export function assertReservable<Event extends DomainEvent>(
  of: Reservations,
  { decide }: Pick<Decider<Quota, QuotaCommand, Event>, 'decide'>,
  { uuid, limit = Infinity, ...share }: Share & Limit,
  context: CommandContext,
): Promise<void> {
  const stream = uuid ?? uuidOf(share.accountId);
  const look = async () => {
    decide({ type: 'Reserve', ...share, limit, at: now(of) }, await of.quota.load(stream));
  };
  return unblocked(of, { ...share, uuid: stream }, look, context);
}

/** Retries once after reclaiming the blocking reservations that no resource holds. */
async function unblocked<Taken>(
  of: Reservations,
  { uuid, accountId, name }: Share & { readonly uuid: string },
  take: () => Promise<Taken>,
  context: CommandContext,
): Promise<Taken> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof Refusal) || (error.slug !== 'tier-limit' && error.slug !== 'conflict'))
      throw error;
    const { reservations } = await of.quota.load(uuid);
    const isFull = error.slug === 'tier-limit';
    const blocking = isFull ? reservations : reservations.filter(hasName(name));
    const check = async () => {
      const settled = await inBatches(blocking, askedAtOnce, (each) =>
        reclaim(of, accountId, uuid, each, context),
      );
      return settled.every(Boolean);
    };
    if (!isFull || reservations.length <= checkedAlways) await check();
    else if (!(await checkOnce(of.clock, reservations, check))) throw error;
    return take();
  }
}

const madeAt = ({ reservations }: Quota, id: string): string | undefined =>
  reservations.find((each) => each.id === id)?.since;

const hasName =
  (name: string | null) =>
  ({ names }: Reservation): boolean =>
    name !== null && names.some((each) => sameName(each, name));

/** Time of a resource's last reservation; undefined if it has none. */
export const reservedAt = async (
  { quota }: Pick<Reservations, 'quota'>,
  accountId: AccountId,
  id: string,
): Promise<string | undefined> => madeAt(await quota.load(uuidOf(accountId)), id);

/** Releases a name, or everything; with `madeAt`, only if nothing was reserved since. */
export function release(
  of: Pick<Reservations, 'clock' | 'quota'>,
  { uuid, madeAt, ...share }: Share & { readonly madeAt?: string | undefined },
  context: CommandContext,
) {
  const command = {
    type: 'Release',
    ...share,
    ...(madeAt !== undefined && { madeAt }),
    at: now(of),
  } as const;
  const step = stepContext(context, `release ${share.id} ${share.name}`);
  return of.quota.run(uuid ?? uuidOf(share.accountId), command, step);
}

interface Renaming extends Omit<Share, 'name'> {
  readonly before: string;
  readonly after: string;
}

/**
 * Reserves the new name, changes the resource, and releases the old name unless it was reserved again. The resource has its share
 * already; if it ends at this moment, the change is refused by the resource, not by the quota.
 */
export async function renameReserved<Changed>(
  of: Reservations,
  { before, after, ...share }: Renaming,
  change: (reservedAt: string | undefined) => Promise<Changed>,
  context: CommandContext,
): Promise<Changed> {
  const work = async (madeAt: string | undefined) => ({ changed: await change(madeAt), madeAt });
  const { changed, madeAt } = await withReservation(of, { ...share, name: after }, work, context);
  await release(of, { ...share, name: before, madeAt }, context);
  return changed;
}

/**
 * Renews the reservation of an existing resource, then runs `work` with the time of the reservation. If `work` is
 * refused, the reservation is released unless it was renewed meanwhile, or the resource has it already.
 */
export async function withReservation<Done>(
  of: Reservations,
  share: Share & Limit,
  work: (madeAt: string | undefined) => Promise<Done>,
  context: CommandContext,
): Promise<Done> {
  const madeAt = await reserve(of, { ...share, renew: true }, context);
  try {
    return await work(madeAt);
  } catch (error) {
    if (error instanceof Refusal && !(await isTaken(of, share)))
      await release(of, { ...share, madeAt }, context);
    throw error;
  }
}

/** Whether the resource has the name in the account, for example by another request. */
async function isTaken(of: Reservations, { id, accountId, name }: Share): Promise<boolean> {
  const resource = await of.resourceOf(id, accountId);
  return resource.kind === 'present' && resource.name === name;
}

/** Ends every resource of an erased account's quota and releases its reservation; resources not created yet are withdrawn. */
export async function endReservedResources(
  of: AccountQuota,
  accountId: AccountId,
  context: CommandContext,
): Promise<void> {
  const { reservations } = await of.quota.load(uuidOf(accountId));
  const owned = ownedContext(context, accountId);
  for (const { id } of reservations) {
    await withdrawMissing(of, accountId, id, owned);
    await of.end(id, accountId, stepContext(owned, `end ${id}`));
    await release(of, { accountId, id, name: null }, owned);
  }
}

/** The resource's state, once it was created or withdrawn. */
async function withdrawMissing(
  of: Reservations,
  accountId: AccountId,
  id: string,
  context: CommandContext,
): Promise<ReservedResource> {
  const resource = await of.resourceOf(id, accountId);
  if (resource.kind !== 'not created') return resource;
  await of.withdraw(id, accountId, stepContext(context, `withdraw ${id}`));
  return of.resourceOf(id, accountId);
}

/** The resource's state, after which no request that made this reservation can succeed any more. */
async function overtake(
  of: Reservations,
  accountId: AccountId,
  { id, names, since }: Reservation,
  context: CommandContext,
): Promise<ReservedResource> {
  const resource = await withdrawMissing(of, accountId, id, context);
  const isUsed = resource.kind === 'present' && unused(names, resource).length === 0;
  if (resource.kind === 'ended' || isUsed || of.lapse === undefined) return resource;
  await of.lapse(id, since, stepContext(context, `lapse ${id} ${since}`));
  return of.resourceOf(id, accountId);
}

const unused = (names: readonly string[], { name: current }: { readonly name: string | null }) =>
  names.filter((each) => current === null || !sameName(each, current));

/**
 * Releases a reservation that no resource holds: its request failed, or crashed before the release. False if that may still turn out.
 */
async function reclaim(
  of: Reservations,
  accountId: AccountId,
  uuid: string,
  reservation: Reservation,
  context: CommandContext,
): Promise<boolean> {
  const { id, names, since } = reservation;
  const freed = (name: string | null) => release(of, { uuid, accountId, id, name, madeAt: since }, context);
  const found = await of.resourceOf(id, accountId);
  if (found.kind !== 'ended' && !isAbandoned(since, of.clock.now())) return found.kind === 'present';
  const resource = await overtake(of, accountId, reservation, context);
  if (resource.kind !== 'present') await freed(null);
  else for (const name of unused(names, resource)) await freed(name);
  return true;
}
