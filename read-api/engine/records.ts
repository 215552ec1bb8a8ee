import { refuse } from '../../contracts/problems.ts';
import type { OpenField } from '../../contracts/record.ts';
import { recordContracts, type RecordContract, type RecordName } from '../../contracts/records.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { recordOf, type RecordRow } from '../../projections/engine/record-read-model.ts';
import { rowById } from '../../projections/queries/detail.ts';
import { recordList } from '../../projections/queries/record.ts';
import { recordModels } from '../../projections/read-models/record.ts';
import type { Details } from './details.ts';
import type { Pages } from './paging.ts';
import { idOf, type Read } from './reading.ts';
import { ownResource } from './resource.ts';

type RecordReads = Readonly<
  Record<`${RecordName}.list`, ReturnType<Pages['list']>> &
    Record<`${RecordName}.${'get' | 'past'}`, ReturnType<typeof detailsOf>[`${RecordName}.get`]>
>;

/** `<name>.list`, `<name>.get` and `<name>.past` of every noun of records. Sealed fields are opened when shown. */
export const recordReads = (
  read: Read,
  { list }: Pages,
  details: Details,
  vault: Pick<Vault, 'open'>,
): RecordReads =>
  Object.fromEntries(
    recordContracts.flatMap((noun) => {
      const show = shownBy(noun, vault);
      const listing = [`${noun.name}.list`, list(`${noun.name}.list`, recordList(noun.name), show)] as const;
      return [listing, ...Object.entries(detailsOf(read, details, noun, show))];
    }),
  ) as RecordReads;

type Show = ReturnType<typeof shownBy>;
const shownBy = (noun: RecordContract, vault: Pick<Vault, 'open'>) => (row: RecordRow) =>
  noun.present(recordOf(row), opening(row, vault)) as Promise<object>;

const detailsOf = (
  read: Read,
  details: Details,
  { name, kind }: (typeof recordContracts)[number],
  show: Show,
) =>
  details(
    name,
    ownResource(read, {
      model: recordModels[name],
      idOf: (text) => idOf(kind, text),
      statement: rowById(recordModels[name]),
      show: (row) => (row.status === 'live' ? show(row) : undefined),
    }),
  );

const opening =
  ({ account_id }: RecordRow, vault: Pick<Vault, 'open'>): OpenField =>
  async (field, sealed) => {
    const opened = await vault.open(account_id, field, sealed);
    if ('erased' in opened) throw refuse('not-found');
    return opened.text;
  };
