import { refuse } from '../../contracts/problems.ts';
import type { OpenField } from '../../contracts/record.ts';
import { recordContracts, type RecordContract, type RecordName } from '../../contracts/records.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { storedIn, type RecordRow } from '../../projections/engine/record-read-model.ts';
import { recordStatements } from '../../projections/queries/record.ts';
import type { Pages } from './paging.ts';
import { showOne, type Read } from './reading.ts';

type RecordReads = Readonly<
  Record<`${RecordName}.list`, ReturnType<Pages['list']>> &
    Record<`${RecordName}.get`, ReturnType<typeof showOne>>
>;

/** `<name>.list` and `<name>.get` of every noun of records. What is sealed of one is opened as it is shown. */
export const recordReads = (read: Read, { list }: Pages, vault: Pick<Vault, 'open'>): RecordReads =>
  Object.fromEntries(
    recordContracts.flatMap((noun: RecordContract) => {
      const { name, kind } = noun;
      const statements = recordStatements(name);
      const show = (row: RecordRow) => noun.present(storedIn(row), opening(row, vault));
      return [
        [`${name}.list`, list(`${name}.list`, statements.list, show)],
        [`${name}.get`, showOne(read, kind, statements.one, show)],
      ];
    }),
  ) as RecordReads;

const opening =
  ({ account_id }: RecordRow, vault: Pick<Vault, 'open'>): OpenField =>
  async (field, sealed) => {
    const opened = await vault.open(account_id, field, sealed);
    if ('erased' in opened) throw refuse('not-found');
    return opened.text;
  };
