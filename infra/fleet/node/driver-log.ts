import { appendFileSync } from 'node:fs';
import type { Clock } from '../../platform/clock.ts';
import type { SessionId } from '../../../contracts/ids.ts';
import type { LiveOperation } from '../../../contracts/fleet/operations.ts';
import type { Operation } from '../../../contracts/operations.ts';
import type { PictureKind } from './picture.ts';

/** One line for each call of the driver, without inputs and results, except for the places of people's touches. */
export type DriverLogEntry =
  | { readonly action: 'launch'; readonly session_id: SessionId; readonly dispatch_id: string }
  | {
      readonly action: 'operate';
      readonly session_id: SessionId;
      readonly dispatch_id: string;
      readonly operation: Operation;
    }
  | {
      readonly action: 'live';
      readonly session_id: SessionId;
      readonly dispatch_id: string;
      readonly operation: LiveOperation | 'files_put' | 'download_content';
    }
  | {
      readonly action: 'touch';
      readonly session_id: SessionId;
      readonly type: 'down' | 'move' | 'up';
      readonly x: number;
      readonly y: number;
    }
  /** A picture of the browser's window begins, or has ended. */
  | { readonly action: 'show' | 'hide'; readonly session_id: SessionId; readonly kind: PictureKind }
  | { readonly action: 'close' | 'death'; readonly session_id: SessionId };

export type DriverLog = (entry: DriverLogEntry) => void;

/**
 * An append-only file of JSON lines, each with `at`, written before the driver is called: tests verify the service from outside by it.
 * Without a path nothing is written.
 */
export function openDriverLog(path: string | undefined, clock: Clock): DriverLog {
  if (path === undefined) return () => undefined;
  return (entry) => appendFileSync(path, `${JSON.stringify({ ...entry, at: clock.now().toISOString() })}\n`);
}
