import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from './decider.ts';

/** What a resource holds of its account's quota: one share, and its names. */
export interface Reservation<Id extends string = string> {
  readonly id: Id;
  readonly names: readonly string[];
  /** Time of its last reservation: the request behind it may still be about to use it. */
  readonly since: string;
}
export interface Quota<Id extends string = string> {
  readonly reservations: readonly Reservation<Id>[];
}

interface Share<Id extends string> {
  readonly accountId: AccountId;
  readonly id: Id;
  /** Null where the noun has no unique names; of a release, everything that the resource holds. */
  readonly name: string | null;
  readonly at: string;
}
export type QuotaCommand<Id extends string = string> =
  | ({
      readonly type: 'Reserve';
      readonly limit: number;
      /** A reservation that is there already counts as made now. */
      readonly renew?: boolean;
    } & Share<Id>)
  | ({
      readonly type: 'Release';
      /** Only the reservation made at that time: one that was renewed since stays. */
      readonly madeAt?: string;
    } & Share<Id>);

/** What a decision changes; each noun has its own events for it. */
export interface QuotaChange<Id extends string = string> {
  readonly type: 'Reserved' | 'Released';
  readonly data: Share<Id>;
}

/** How a noun records its reservations, and what its refusals say. */
export interface QuotaNoun<Id extends string, Event extends DomainEvent> {
  readonly category: Category;
  readonly toEvent: (change: QuotaChange<Id>) => Event;
  readonly changeOf: (event: Event) => QuotaChange<Id>;
  readonly limitReached: (limit: number) => string;
  readonly nameTaken?: string;
}

/** The rules of a quota. `changeOf`: what an event of its own says, in the words that all quotas have. */
export type QuotaDecider<Id extends string = string, Event extends DomainEvent = QuotaEvent> = Decider<
  Quota<Id>,
  QuotaCommand<Id>,
  Event
> &
  Pick<QuotaNoun<Id, Event>, 'changeOf'>;

/** Whether a command changes a reservation that is there. */
function changes(command: QuotaCommand, { since }: Reservation): boolean {
  return command.type === 'Release'
    ? command.madeAt === undefined || command.madeAt === since
    : command.renew === true && command.at !== since;
}

/** How names are compared: case and the form of composed letters make no difference. */
export const sameName = (one: string, other: string): boolean => normalised(one) === normalised(other);
const normalised = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * How many resources of a noun an account has, and by which names, decided on one stream: the reservation first, then the
 * resource. Refuses `tier-limit` beyond the limit, and `conflict` for a name that another resource has.
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
        return changes(command, own) ? [toEvent({ type: `${command.type}d`, data })] : [];
      if (command.type === 'Release') return [];
      const isTaken = (taken: string): boolean => name !== null && sameName(taken, name);
      if (reservations.some((each) => each !== own && each.names.some(isTaken)))
        throw refuse('conflict', nameTaken);
      if (own === undefined && reservations.length >= command.limit)
        throw refuse('tier-limit', limitReached(command.limit));
      return [toEvent({ type: 'Reserved', data })];
    },
    evolve: ({ reservations }, event) => {
      const { type, data } = changeOf(event);
      const { id, name, at } = data;
      const own = reservations.find((each) => each.id === id);
      const others = reservations.filter((each) => each !== own);
      const names = (own?.names ?? []).filter((each) => each !== name);
      if (type === 'Reserved') {
        const held = name === null ? names : [...names, name];
        return { reservations: [...others, { id, names: held, since: at }] };
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
    nameTaken: `The account has a ${noun} of that name already.`,
  });
