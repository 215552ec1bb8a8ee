import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { Stored } from '../../contracts/record.ts';
import type { RecordContract } from '../../contracts/records.ts';
import type { Command as CommandNamed, CommandsOf, Decider } from './decider.ts';
import { recordQuota, type QuotaDecider } from './quota.ts';
import { isBefore } from './time.ts';

/**
 * | status    | Create   | Change    | Delete    | Withdraw  |
 * | --------- | -------- | --------- | --------- | --------- |
 * | none      | live     | not-found | not-found | withdrawn |
 * | live      |          | live      | deleted   |           |
 * | deleted   |          | not-found |           |           |
 * | withdrawn | conflict | not-found | not-found |           |
 *
 * Withdrawn: its reservation was given to another record, because it was not created in time.
 */
export type RecordState<Fields> =
  | { readonly status: 'none' }
  | { readonly status: 'withdrawn' }
  | ({ readonly status: 'live' } & Stored<Fields> & Lapsing)
  | ({ readonly status: 'deleted' } & Stored<Fields>);

interface Lapsing {
  /**
   * When the newest lapsed reservation of a name for this record was made; absent if none has lapsed. It lapsed when
   * the name was given to another record.
   */
  readonly lapsed?: string;
}

export type RecordCommand<Fields> = CommandsOf<{
  Create: Owned & { fields: Fields };
  Delete: unknown;
  Withdraw: Owned;
}>;
/** For nouns with changeable records. `reservedAt`: time of the reservation of a new name. */
export type ChangeRecord<Fields> = CommandNamed<
  'Change',
  { changes: Partial<Fields>; reservedAt?: string | undefined }
>;

interface Owned {
  readonly id: string;
  readonly accountId: AccountId;
}
interface Of extends Owned {
  readonly at: string;
}
export type RecordEvent<Stem extends string, Fields> =
  | { readonly type: `${Stem}Created`; readonly data: Of & { readonly fields: Fields } }
  | { readonly type: `${Stem}Changed`; readonly data: Of & { readonly changes: Partial<Fields> } }
  | { readonly type: `${Stem}Deleted` | `${Stem}Withdrawn`; readonly data: Of };

/** The rules of a noun of records. `Command`: its commands beyond those of every record. */
export interface RecordNoun<Fields, Command, Event extends DomainEvent> {
  readonly contract: Pick<RecordContract, 'kind' | 'limit'>;
  readonly record: Decider<RecordState<Fields>, Command | RecordCommand<Fields>, Event>;
  readonly quota: QuotaDecider;
  /** Null: the noun has no unique names. */
  readonly nameOf: (fields: Fields) => string | null;
}

/** Any noun of records; declared with methods, so that a noun with typed fields is assignable. */
export interface AnyRecordNoun {
  readonly contract: Pick<RecordContract, 'kind' | 'limit'>;
  readonly record: {
    readonly category: Category;
    readonly initialState: RecordState<unknown>;
    decide(
      command: Extract<RecordCommand<unknown>, { type: 'Delete' | 'Withdraw' }>,
      state: RecordState<unknown>,
    ): readonly DomainEvent[];
    evolve(state: RecordState<unknown>, event: DomainEvent): RecordState<unknown>;
  };
  readonly quota: QuotaDecider;
  nameOf(fields: unknown): string | null;
}

/** The create of a withdrawn record took too long. */
export const tooLate = (): Refusal => refuse('conflict', 'The request took too long. It may be sent again.');

/**
 * Refuses a request whose reservation has lapsed, because it was given to another resource. `lapsed`: when the newest
 * lapsed reservation was made; `reservedAt`: when the request's own was made.
 */
export function assertReserved(lapsed: string | undefined, reservedAt: string | undefined): void {
  if (lapsed !== undefined && (reservedAt === undefined || !isBefore(lapsed, reservedAt))) throw tooLate();
}

/** The newer of two times of lapsed reservations. */
export const newerLapse = (lapsed: string | undefined, since: string): string =>
  lapsed === undefined || isBefore(lapsed, since) ? since : lapsed;

type Fields = Readonly<Record<string, unknown>>;
type Decision<Stem extends string, F> = readonly RecordEvent<Stem, F>[];

/**
 * The rules shared by all nouns of records. A repeated creation or deletion, and a change of nothing, make no event.
 * `nameOf`: omitted if names need not be unique.
 */
export const recordNoun = <Stem extends string, F extends Fields>(
  stem: Stem,
  contract: Pick<RecordContract, 'kind' | 'limit' | 'events' | 'quota'>,
  nameOf: (fields: F) => string | null = () => null,
) => ({
  contract,
  record: {
    category: contract.events,
    initialState: { status: 'none' } as RecordState<F>,
    ...recordRules<Stem, F>(stem),
  },
  quota: recordQuota(contract.quota, stem, contract.events.name),
  nameOf,
});

const recordRules = <Stem extends string, F extends Fields>(stem: Stem) => ({
  decide: (command: RecordCommand<F> | ChangeRecord<F>, state: RecordState<F>): Decision<Stem, F> =>
    command.type === 'Create' || command.type === 'Withdraw'
      ? begin(stem, command, state)
      : goOn(stem, command, state),
  evolve: (state: RecordState<F>, { type, data }: RecordEvent<Stem, F>): RecordState<F> => {
    if ('fields' in data) {
      const { at, ...rest } = data;
      return { status: 'live', ...rest, createdAt: at, updatedAt: at };
    }
    if (state.status === 'none') return type === `${stem}Withdrawn` ? { status: 'withdrawn' } : state;
    if (state.status === 'withdrawn') return state;
    if (!('changes' in data)) return { ...state, status: 'deleted', updatedAt: data.at };
    return { ...state, fields: { ...state.fields, ...data.changes }, updatedAt: data.at };
  },
});

function begin<Stem extends string, F extends Fields>(
  stem: Stem,
  { type, ...data }: Extract<RecordCommand<F>, { type: 'Create' | 'Withdraw' }>,
  { status }: RecordState<F>,
): Decision<Stem, F> {
  if (type === 'Create' && status === 'withdrawn') throw tooLate();
  if (status !== 'none') return [];
  return 'fields' in data ? [{ type: `${stem}Created`, data }] : [{ type: `${stem}Withdrawn`, data }];
}

function goOn<Stem extends string, F extends Fields>(
  stem: Stem,
  command: ChangeRecord<F> | Extract<RecordCommand<F>, { type: 'Delete' }>,
  state: RecordState<F>,
): Decision<Stem, F> {
  if (state.status === 'none' || state.status === 'withdrawn') throw refuse('not-found');
  const { id, accountId, fields } = state;
  const { at } = command;
  if (command.type === 'Delete')
    return state.status === 'deleted' ? [] : [{ type: `${stem}Deleted`, data: { id, accountId, at } }];
  if (state.status === 'deleted') throw refuse('not-found');
  const changes = differing(command.changes, fields);
  if (Object.keys(changes).length === 0) return [];
  return [{ type: `${stem}Changed`, data: { id, accountId, changes, at } }];
}

const differing = <F extends Fields>(changes: Partial<F>, fields: F): Partial<F> => {
  const entries = Object.entries(changes).filter(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(fields[key]),
  );
  return Object.fromEntries(entries) as Partial<F>;
};
