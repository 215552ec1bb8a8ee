import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isAfter, type Position } from '../../event-store/client/index.ts';
import { live } from '../../../projections/engine/checkpoint.ts';

export interface ReadModelWatch {
  /** When the rows up to this position were first seen, in milliseconds since the epoch; NaN if they were not. */
  visibleAt(position: Position): number;
  /** Resolves when the rows up to this position are visible. */
  until(position: Position): Promise<void>;
  close(): Promise<void>;
}

interface Look {
  readonly at: number;
  readonly reached: Position;
}

/** Polls the read model's checkpoint, which becomes visible with its rows, in one commit. */
export async function watchReadModel(postgresUrl: string, everyMs: number): Promise<ReadModelWatch> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const looks: Look[] = [];
  const closing = new AbortController();
  const watching = (async () => {
    while (!closing.signal.aborted) {
      const reached = await checkpoint(client);
      const last = looks.at(-1);
      if (last === undefined || isAfter(reached, last.reached)) looks.push({ at: Date.now(), reached });
      await delay(everyMs);
    }
  })();
  return {
    visibleAt: (position) => firstAt(looks, position)?.at ?? Number.NaN,
    until: async (position) => {
      while (firstAt(looks, position) === undefined) {
        await Promise.race([watching, delay(everyMs)]);
      }
    },
    close: async () => {
      closing.abort();
      await watching;
      await client.end();
    },
  };
}

async function checkpoint(client: pg.Client): Promise<Position> {
  const { rows } = await client.query<{ commit: string; prepare: string }>({
    name: 'watch',
    text: 'select commit_position as commit, prepare_position as prepare from runtime.checkpoints where name = $1',
    values: [live.checkpoint],
  });
  const [row] = rows;
  return { commit: BigInt(row?.commit ?? 0), prepare: BigInt(row?.prepare ?? 0) };
}

/** The first look whose position is not less. Looks are ordered by time and by position. */
function firstAt(looks: readonly Look[], position: Position): Look | undefined {
  let [low, high] = [0, looks.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const look = looks[middle];
    if (look !== undefined && isAfter(position, look.reached)) low = middle + 1;
    else high = middle;
  }
  return looks[low];
}
