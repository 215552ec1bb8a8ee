import { parseId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { ReadRecordRow, RecordReadModel } from '../../projections/engine/record-read-model.ts';
import { recordStatements } from '../../projections/queries/record.ts';
import type { Reply, RequestFacts } from '../../infra/http/index.ts';
import type { Reader } from './credentials.ts';
import type { Cursors } from './cursors.ts';
import { listPage } from './paging.ts';
import { notFound, type Read } from './reading.ts';

interface Call {
  readonly caller: Reader;
  readonly request: RequestFacts;
  readonly query: { readonly limit?: number; readonly cursor?: string };
}
type Listing = { readonly run: (call: Call) => Promise<Reply> };
type Getting = {
  readonly run: (call: Call & { readonly params: { readonly id: string } }) => Promise<Reply>;
};
type RecordReads<Name extends string> = Readonly<
  Record<`${Name}.list`, Listing> & Record<`${Name}.get`, Getting>
>;

/** `<name>.list` and `<name>.get` of the nouns whose read model is nothing but their records. */
export const recordReads = <Name extends string>(
  models: readonly RecordReadModel<Name>[],
  read: Read,
  cursors: Cursors,
): RecordReads<Name> =>
  Object.assign({}, ...models.map((model) => readsOf(model, read, cursors))) as RecordReads<Name>;

function readsOf<Name extends string>(
  { name, kind, present }: RecordReadModel<Name>,
  read: Read,
  cursors: Cursors,
): Record<string, Listing | Getting> {
  const { list, one } = recordStatements(name);
  const show = (row: ReadRecordRow) =>
    present({
      id: row.id,
      accountId: row.account_id,
      fields: row.fields as never,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    });
  return {
    [`${name}.list`]: { run: listPage({ route: `${name}.list`, read, cursors, list, show }) },
    [`${name}.get`]: {
      run: async (call: Parameters<Getting['run']>[0]) => {
        const { accountId } = call.caller;
        const id = parseId(kind, call.params.id);
        if (id === undefined) throw refuse('not-found');
        const { rows, stale, freshness } = await read(call, one, { accountId, id });
        const [row] = rows;
        if (row === undefined) throw notFound(stale);
        return { body: show(row), ...freshness };
      },
    },
  };
}
