import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import {
  sameName,
  type Quota,
  type QuotaCommand,
  type QuotaEvent,
  type Reservation,
} from '../../domain/kit/quota.ts';
import { now, stepContext, type CommandContext } from './context.ts';
import { inBatches } from './in-batches.ts';
import { assertInTime, isAbandoned } from './quota.ts';
import type { CommandPorts } from './runner.ts';

/**
 * What a resource makes of its reservation now.
 *
 * - `never came`: it is withdrawn once its reservation is abandoned, so that a slow request cannot create it afterwards.
 * - `ended`: it never needs the reservation again.
 * - `away`: it needs none as it is, but a request may have reserved in order to bring it back.
 * - `present`: it needs its share of the quota, and the name that it has.
 */
export type Holding =
  | { readonly kind: 'never came' | 'ended' | 'away' }
  | { readonly kind: 'present'; readonly name: string | null };

/** The reservations of a noun on a quota, and how its resources are asked about theirs. */
export interface Reservations extends CommandPorts {
  readonly quota: Decider<Quota, QuotaCommand, QuotaEvent>;
  readonly holding: (id: string, accountId: AccountId) => Promise<Holding>;
  readonly withdraw: (id: string, accountId: AccountId, step: CommandContext) => Promise<unknown>;
}

/** Resources asked about their reservations at once. */
const askedAtOnce = 32;

interface Share {
  readonly accountId: AccountId;
  readonly id: string;
  /** Null: of a reservation, the noun has no names; of a release, everything that the resource holds. */
  readonly name: string | null;
  /** Of the quota's stream; by default the account's. */
  readonly uuid?: string;
}

/**
 * Takes a name and a share of the quota; what stands in the way and is held by no resource is reclaimed first. Resolves
 * to when it was reserved. Whoever reserves for a resource that is there already renews, so that nobody releases in the
 * meantime what it held before, and is done within half of the lease.
 */
export async function reserve(
  of: Reservations,
  { uuid, ...share }: Share & { readonly limit: number; readonly renew?: boolean },
  context: CommandContext,
): Promise<string | undefined> {
  const { runner, quota } = of;
  const stream = uuid ?? uuidOf(share.accountId);
  const take = async () => {
    const command = { type: 'Reserve', ...share, at: now(of) } as const;
    const { state } = await runner.run(quota, stream, command, stepContext(context, `reserve ${share.name}`));
    return madeAt(state, share.id);
  };
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof Refusal) || (error.slug !== 'tier-limit' && error.slug !== 'conflict'))
      throw error;
    const { reservations } = (await runner.load(quota, stream)).state;
    const blocking = error.slug === 'conflict' ? reservations.filter(hasName(share.name)) : reservations;
    await inBatches(blocking, askedAtOnce, (each) => reclaim(of, share.accountId, stream, each, context));
    return take();
  }
}

const madeAt = ({ reservations }: Quota, id: string): string | undefined =>
  reservations.find((each) => each.id === id)?.since;

const hasName =
  (name: string | null) =>
  ({ names }: Reservation): boolean =>
    name !== null && names.some((each) => sameName(each, name));

/** When the last reservation of a resource was made; undefined when it holds none. */
export const reservedAt = async (
  { runner, quota }: Pick<Reservations, 'runner' | 'quota'>,
  accountId: AccountId,
  id: string,
): Promise<string | undefined> => madeAt((await runner.load(quota, uuidOf(accountId))).state, id);

/** Gives back a name, or everything; with `madeAt`, only if nothing was reserved since then. */
export function release(
  of: Pick<Reservations, 'runner' | 'clock' | 'quota'>,
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
  return of.runner.run(of.quota, uuid ?? uuidOf(share.accountId), command, step);
}

interface Renaming extends Omit<Share, 'name'> {
  readonly before: string;
  readonly after: string;
}

/**
 * Reserves the new name, changes the resource, and gives the old name back unless it was reserved again. The resource has its
 * share already; of one that ends at this moment the change is refused, and not as one too many.
 */
export async function renamed<Changed>(
  of: Reservations,
  { before, after, ...share }: Renaming,
  change: () => Promise<Changed>,
  context: CommandContext,
): Promise<Changed> {
  const work = async (madeAt: string | undefined) => ({ changed: await change(), madeAt });
  const { changed, madeAt } = await reserving(of, { ...share, name: after, limit: Infinity }, work, context);
  await release(of, { ...share, name: before, madeAt }, context);
  return changed;
}

/**
 * Reserves for a resource that is there already, and works; `work` gets when it was reserved. Work that is refused gives the
 * reservation back, unless somebody reserved anew meanwhile.
 */
export async function reserving<Done>(
  of: Reservations,
  { limit, ...share }: Share & { readonly limit: number },
  work: (madeAt: string | undefined) => Promise<Done>,
  context: CommandContext,
): Promise<Done> {
  const startedAt = of.clock.now().getTime();
  const madeAt = await reserve(of, { ...share, limit, renew: true }, context);
  try {
    assertInTime(of.clock, startedAt);
    return await work(madeAt);
  } catch (error) {
    if (error instanceof Refusal) await release(of, { ...share, madeAt }, context);
    throw error;
  }
}

/** Releases what no resource holds: its request died, or was killed before it could release. */
async function reclaim(
  of: Reservations,
  accountId: AccountId,
  uuid: string,
  { id, names, since }: Reservation,
  context: CommandContext,
): Promise<void> {
  const freed = (name: string | null) => release(of, { uuid, accountId, id, name, madeAt: since }, context);
  let holding = await of.holding(id, accountId);
  if (holding.kind !== 'ended' && !isAbandoned(since, of.clock.now())) return;
  if (holding.kind === 'never came') {
    await of.withdraw(id, accountId, stepContext(context, `withdraw ${id}`));
    holding = await of.holding(id, accountId);
  }
  if (holding.kind !== 'present') {
    await freed(null);
    return;
  }
  const { name: current } = holding;
  for (const name of names.filter((each) => current === null || !sameName(each, current))) await freed(name);
}
