import type { RecordReadModel } from '../../projections/engine/record-read-model.ts';
import { recordStatements } from '../../projections/queries/record.ts';
import type { Pages } from './paging.ts';
import { showOne, type Read } from './reading.ts';

type RecordReads<Name extends string> = Readonly<
  Record<`${Name}.list`, ReturnType<Pages['list']>> & Record<`${Name}.get`, ReturnType<typeof showOne>>
>;

/** `<name>.list` and `<name>.get` of the nouns that are records. */
export const recordReads = <Name extends string>(
  models: readonly RecordReadModel<Name>[],
  read: Read,
  { list }: Pages,
): RecordReads<Name> =>
  Object.fromEntries(
    models.flatMap(({ name, kind, present }) => {
      const statements = recordStatements(name);
      return [
        [`${name}.list`, list(`${name}.list`, statements.list, present)],
        [`${name}.get`, showOne(read, kind, statements.one, present)],
      ];
    }),
  ) as RecordReads<Name>;
