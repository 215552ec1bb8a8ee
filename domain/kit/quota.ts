import type { Category } from '../../contracts/events/catalogue.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from './decider.ts';

/** What a record holds of its account's quota: one share, and its names. */
export interface Reservation {
  readonly id: string;
  readonly names: readonly string[];
  readonly since: string;
}
export interface Quota {
  readonly reservations: readonly Reservation[];
}

/** `name` is what the record is called; null where records have no unique name. */
export type QuotaCommand =
  | {
      readonly type: 'Reserve';
      readonly accountId: AccountId;
      readonly id: string;
      readonly name: string;
      readonly limit: number;
      readonly at: string;
    }
  | {
      readonly type: 'Release';
      readonly accountId: AccountId;
      readonly id: string;
      /** Null: everything the record holds. */
      readonly name: string | null;
      readonly at: string;
    };

export interface QuotaEvent {
  readonly type: string;
  readonly data: {
    readonly accountId: AccountId;
    readonly id: string;
    readonly name: string | null;
    readonly at: string;
  };
}

/** How names are compared: case and the form of composed letters make no difference. */
export const sameName = (one: string, other: string): boolean => normalised(one) === normalised(other);
const normalised = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * How many records of a noun an account has, and by which names, decided on one stream: the reservation first, then the
 * record. Refuses `tier-limit` beyond the limit, and `conflict` for a name that another record has.
 */
export function quota(
  category: Category,
  stem: string,
  noun: string,
): Decider<Quota, QuotaCommand, QuotaEvent> {
  const reserved = `${stem}Reserved`;
  return {
    category,
    initialState: { reservations: [] },
    snapshotEvery: 200,
    decide: (command, { reservations }) => {
      const { type, accountId, id, at } = command;
      const own = reservations.find((each) => each.id === id);
      if (type === 'Release') {
        const { name } = command;
        const isHeld = own !== undefined && (name === null || own.names.includes(name));
        return isHeld ? [{ type: `${stem}Released`, data: { accountId, id, name, at } }] : [];
      }
      const { name, limit } = command;
      if (own?.names.includes(name)) return [];
      if (reservations.some((each) => each !== own && each.names.some((taken) => sameName(taken, name))))
        throw refuse('conflict', `The account has a ${noun} of that name already.`);
      if (own === undefined && reservations.length >= limit)
        throw refuse('tier-limit', `The account has all ${limit} of its ${noun} records. Delete one first.`);
      return [{ type: reserved, data: { accountId, id, name, at } }];
    },
    evolve: ({ reservations }, { type, data: { id, name, at } }) => {
      const own = reservations.find((each) => each.id === id);
      const others = reservations.filter((each) => each !== own);
      const names = (own?.names ?? []).filter((each) => each !== name);
      if (type === reserved && name !== null)
        return { reservations: [...others, { id, names: [...names, name], since: own?.since ?? at }] };
      if (own === undefined || name === null || names.length === 0) return { reservations: others };
      return { reservations: [...others, { ...own, names }] };
    },
  };
}
