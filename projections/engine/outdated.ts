import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import { compare } from '../../infra/event-store/client/position.ts';

/** A live table of another version than its code: served as it is until one of the code's version replaces it. */
export interface OutdatedTable {
  /** The last event that was applied to it. */
  readonly position: Position;
  /** The term that builds its replacement. Only that one may swap: a later term has its own idea of the version. */
  readonly builder: string | null;
}

export type Outdated = ReadonlyMap<string, OutdatedTable>;

/** As it is stored: with the live checkpoint, so that both are read, and locked, together. Null when nothing is outdated. */
export interface OutdatedColumn {
  readonly outdated: Readonly<
    Record<string, { readonly commit: string; readonly prepare: string; readonly builder: string | null }>
  > | null;
}

const none: Outdated = new Map();

export function outdatedIn({ outdated }: OutdatedColumn): Outdated {
  if (outdated === null) return none;
  return new Map(
    Object.entries(outdated).map(([name, { commit, prepare, builder }]) => [
      name,
      { position: { commit: BigInt(commit), prepare: BigInt(prepare) }, builder },
    ]),
  );
}

/** Within a transaction that holds the live checkpoint. */
export async function storeOutdated(client: pg.ClientBase, outdated: Outdated): Promise<void> {
  const stored = Object.fromEntries(
    [...outdated].map(([name, { position, builder }]) => [
      name,
      { commit: String(position.commit), prepare: String(position.prepare), builder },
    ]),
  );
  await client.query("update runtime.checkpoints set outdated = $1 where name = 'read_model'", [
    outdated.size === 0 ? null : JSON.stringify(stored),
  ]);
}

/** How far some of the live tables are, when the checkpoint is at `position`: as far as the one that is least far. */
export function reachedBy(tables: readonly string[], position: Position, outdated: Outdated): Position {
  let reached = position;
  for (const table of tables) {
    const behind = outdated.get(table)?.position;
    if (behind !== undefined && compare(behind, reached) < 0) reached = behind;
  }
  return reached;
}
