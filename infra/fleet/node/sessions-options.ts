import type { Logger } from 'pino';
import type { SessionId } from '../../../contracts/ids.ts';
import type { BrowserReport, Driver } from './driver.ts';
import type { DriverLog } from './driver-log.ts';
import type { RunOptions } from './run-operation.ts';
import type { Saves } from './saves.ts';
import type { StateTransfer } from './state-transfer.ts';

/** What the sessions of a node work with. */
export interface SessionsOptions extends RunOptions {
  readonly driver: Driver;
  readonly capacity: number;
  /** Holds the files that sessions are given, in a directory for each. */
  readonly uploadsDir: string;
  /** Holds the captures that sessions keep, in a directory for each. */
  readonly capturesDir: string;
  readonly driverLog: DriverLog;
  readonly logger: Logger;
  /** Where the states come from that profiles have. */
  readonly states: Pick<StateTransfer, 'fetch'>;
  /** Where the states go that sessions with a profile leave. */
  readonly saves: Pick<Saves, 'begin'>;
  /** A browser ended without having been asked to. */
  readonly onDeath: (session: SessionId) => void;
  /** A browser is about to be ended, or has died. */
  readonly onClosing?: (session: SessionId) => void;
  /** Called with a browser's report, while it runs or while it is ended. */
  readonly onReport: (session: SessionId, report: BrowserReport) => void;
}
