import type { Logger } from 'pino';
import type { SessionId } from '../../../contracts/ids.ts';
import type { BrowserReport, Driver } from './driver.ts';
import type { DriverLog } from './driver-log.ts';
import type { RunOptions } from './run-operation.ts';
import type { Saves } from './saves.ts';
import type { StateTransfer } from './state-transfer.ts';

/** Dependencies and settings of a node's sessions. */
export interface SessionsOptions extends RunOptions {
  readonly driver: Driver;
  readonly capacity: number;
  /** Contains the uploaded files, in a directory for each session. */
  readonly uploadsDir: string;
  /** Contains the stored captures, in a directory for each session. */
  readonly capturesDir: string;
  readonly driverLog: DriverLog;
  readonly logger: Logger;
  /** Fetches the states of profiles. */
  readonly states: Pick<StateTransfer, 'fetch'>;
  /** Saves the states that sessions with a profile leave. */
  readonly saves: Pick<Saves, 'begin'>;
  /** Called when a browser has ended unexpectedly. */
  readonly onDeath: (session: SessionId) => void;
  /** Called when a browser is about to be ended, or has died. */
  readonly onClosing?: (session: SessionId) => void;
  /** Called with a browser's report, while it runs or is being ended. */
  readonly onReport: (session: SessionId, report: BrowserReport) => void;
}
