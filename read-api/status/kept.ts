import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Position } from '../../infra/event-store/client/types.ts';
import { replaceFile } from '../../infra/platform/durable-file.ts';
import type { StatusBoard } from './board.ts';

/** A sent change. `id`: commit position of its event, as a decimal string. */
export interface StatusChange {
  readonly id: string;
  /** JSON of a `PublicStatus`. */
  readonly data: string;
}

/** The fold of the log up to a position. */
export interface KeptStatus {
  readonly position: Position;
  /** ISO 8601. */
  readonly confirmedAt: string;
  readonly board: StatusBoard;
  readonly changes: readonly StatusChange[];
}

/** Raised when the board's shape changes: files of older versions are ignored, and the log is read from its start. */
const version = 1;

interface Stored extends Omit<KeptStatus, 'position'> {
  readonly version: number;
  readonly position: { readonly commit: string; readonly prepare: string };
}

/** A file with the last state, served after a restart while the log cannot be read. */
export const keptIn = (path: string) => ({
  /** Undefined if there is no readable one. */
  read: (): KeptStatus | undefined => {
    try {
      const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored;
      if (stored.version !== version) return undefined;
      const { commit, prepare } = stored.position;
      return { ...stored, position: { commit: BigInt(commit), prepare: BigInt(prepare) } };
    } catch {
      return undefined;
    }
  },
  /** Atomic: readers, also in other processes, find the old file or the new one. */
  write: ({ position: { commit, prepare }, ...kept }: KeptStatus): void => {
    const stored = { ...kept, version, position: { commit: String(commit), prepare: String(prepare) } };
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, JSON.stringify(stored));
  },
});
