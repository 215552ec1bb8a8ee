import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from './decider.ts';

/** A resource's share of its account's quota, and its names. */
export interface Reservation<Id extends string = string> {
  readonly id: Id;
  /** The account whose share it is. A profile's snapshots share one stream, also those taken under an earlier owner. */
  readonly accountId: AccountId;
  readonly names: readonly string[];
  /** Time of its last reservation. The request that made it may still be running. */
  readonly since: string;
}
export interface Quota<Id extends string = string> {
  readonly reservations: readonly Reservation<Id>[];
}

interface Share<Id extends string> {
  readonly accountId: AccountId;
  readonly id: Id;
  /** Null in a reservation: the noun has no unique names. Null in a release: release the share and all names. */
  readonly name: string | null;
  readonly at: string;
}
export type QuotaCommand<Id extends string = string> =
  | ({
      readonly type: 'Reserve';
      readonly limit: number;
      /** Updates the time of an existing reservation. */
      readonly renew?: boolean;
    } & Share<Id>)
  | ({
      readonly type: 'Release';
      /** Releases only the reservation made at that time, not one renewed since. */
      readonly madeAt?: string;
    } & Share<Id>);

/** The outcome of a decision; each noun has its own events for it. */
export interface QuotaChange<Id extends string = string> {
  readonly type: 'Reserved' | 'Released';
  readonly data: Share<Id>;
}

const outcomes = { Reserve: 'Reserved', Release: 'Released' } as const;

/** A noun's events of reservations, and the texts of its refusals. */
export interface QuotaNoun<Id extends string, Event extends DomainEvent> {
  readonly category: Category;
  readonly toEvent: (change: QuotaChange<Id>) => Event;
  readonly changeOf: (event: Event) => QuotaChange<Id>;
  readonly limitReached: (limit: number) => string;
  readonly nameTaken?: string;
}

/** The rules of a quota. `changeOf`: an event's change in the terms that all quotas share. */
export type QuotaDecider<Id extends string = string, Event extends DomainEvent = QuotaEvent> = Decider<
  Quota<Id>,
  QuotaCommand<Id>,
  Event
> &
  Pick<QuotaNoun<Id, Event>, 'changeOf'>;

/** Whether a command changes an existing reservation. */
function changes(command: QuotaCommand, { since }: Reservation): boolean {
  return command.type === 'Release'
    ? command.madeAt === undefined || command.madeAt === since
    : command.renew === true && command.at !== since;
}

/** Compares names, ignoring case and the form of composed letters. */
export const sameName = (one: string, other: string): boolean =>
  comparableName(one) === comparableName(other);
/** Equal for names that are the same. Composed last: there is a composed form of j with a caron, but none of J. */
export const comparableName = (name: string): string => name.toLowerCase().normalize('NFC');

/**
 * Limits the number of an account's resources of one noun, and keeps their names unique. All are decided on one
 * stream, on which a resource is reserved before it is created. Refuses `tier-limit` beyond the limit, else
 * `conflict` for a taken name.
 */
export function quota<Id extends string, Event extends DomainEvent>({
  category,
  toEvent,
  changeOf,
  limitReached,
  nameTaken,
}: QuotaNoun<Id, Event>): QuotaDecider<Id, Event> {
  return {
    ...{ category, changeOf, initialState: { reservations: [] }, snapshotEvery: 200 },
    decide: (command, { reservations }) => {
      const { accountId, id, name, at } = command;
      const data = { accountId, id, name, at };
      const own = reservations.find((each) => each.id === id);
      if (own !== undefined && (name === null || own.names.includes(name)))
        return changes(command, own) ? [toEvent({ type: outcomes[command.type], data })] : [];
      if (command.type === 'Release') return [];
      const held = reservations.filter((each) => each.accountId === accountId).length;
      if (own === undefined && held >= command.limit) throw refuse('tier-limit', limitReached(command.limit));
      const isTaken = (taken: string): boolean => name !== null && sameName(taken, name);
      if (reservations.some((each) => each !== own && each.names.some(isTaken)))
        throw refuse('conflict', nameTaken);
      return [toEvent({ type: 'Reserved', data })];
    },
    evolve: ({ reservations }, event) => {
      const { type, data } = changeOf(event);
      const { accountId, id, name, at } = data;
      const own = reservations.find((each) => each.id === id);
      const others = reservations.filter((each) => each !== own);
      const names = (own?.names ?? []).filter((each) => each !== name);
      if (type === 'Reserved') {
        const held = name === null ? names : [...names, name];
        return { reservations: [...others, { id, accountId, names: held, since: at }] };
      }
      if (own === undefined || name === null || names.length === 0) return { reservations: others };
      return { reservations: [...others, { ...own, names }] };
    },
  };
}

export interface QuotaEvent {
  readonly type: string;
  readonly data: Share<string>;
}

/** The quota of a kind of record, on its `<Stem>Reserved` and `<Stem>Released` events. */
export const recordQuota = (
  category: Category,
  stem: string,
  noun: string,
  limitReached = (limit: number) => `All ${limit} ${noun} records are in use. Delete one first.`,
) =>
  quota<string, QuotaEvent>({
    category,
    toEvent: ({ type, data }) => ({ type: `${stem}${type}`, data }),
    changeOf: ({ type, data }) => ({ type: type === `${stem}Reserved` ? 'Reserved' : 'Released', data }),
    limitReached,
    nameTaken: `The account already has a ${noun} of that name.`,
  });
