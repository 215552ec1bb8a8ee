import { projections } from '../../../projections/index.ts';
import type { Operator } from './operator.ts';

export interface ProjectionStatus {
  readonly projection: string;
  readonly rows: number;
  readonly parked: number;
  /** Where in the record the read models are; null before the first event. */
  readonly checkpoint: { readonly commit: string; readonly prepare: string } | null;
  /** Whether the record has events they have not applied yet. */
  readonly behind: boolean;
}

export async function projectionStatus({ store, pool }: Operator): Promise<ProjectionStatus[]> {
  const [head, { rows: checkpoints }, { rows: parked }] = await Promise.all([
    store.head(),
    pool.query<{ commit_position: string; prepare_position: string }>(
      "select commit_position, prepare_position from runtime.checkpoints where name = 'read_model'",
    ),
    pool.query<{ projection: string; count: string }>(
      "select projection, count(*) from runtime.parked where schema = 'read_model' group by 1",
    ),
  ]);
  const at = checkpoints[0];
  const checkpoint = at === undefined ? null : { commit: at.commit_position, prepare: at.prepare_position };
  const behind = head !== undefined && (checkpoint === null || BigInt(checkpoint.commit) < head.commit);
  return Promise.all(
    projections.map(async ({ name }) => {
      const { rows } = await pool.query<{ count: string }>(`select count(*) from read_model.${name}`);
      const waiting = parked.find(({ projection }) => projection === name);
      return {
        projection: name,
        rows: Number(rows[0]?.count),
        parked: Number(waiting?.count ?? 0),
        checkpoint,
        behind,
      };
    }),
  );
}
