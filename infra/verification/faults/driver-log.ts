import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../../contracts/ids.ts';
import { tempDir } from '../testbed/index.ts';

interface Line {
  readonly action: 'launch' | 'operate' | 'close' | 'death';
  readonly session_id: SessionId;
  readonly dispatch_id?: string;
}

/** Operations that reached the browsers, observed from outside the service. */
export interface DriverLog {
  readonly path: string;
  /** How often an action reached the browser of a session. */
  reached(id: SessionId, action: Line['action']): number;
  /** Number of browsers that were started. */
  launched(): number;
  /** Dispatches that reached a browser more than once. */
  repeated(): readonly string[];
}

export function newDriverLog(): DriverLog {
  const path = join(tempDir('driver'), 'driver.log');
  const lines = (): Line[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Line)
      : [];
  return {
    path,
    launched: () => lines().filter(({ action }) => action === 'launch').length,
    repeated: () => {
      const ids = lines().flatMap(({ dispatch_id }) => dispatch_id ?? []);
      return ids.filter((id, index) => ids.indexOf(id) !== index);
    },
    reached: (id, action) =>
      lines().filter((line) => line.session_id === id && line.action === action).length,
  };
}
