import type { Logger } from 'pino';
import { findArchetype } from '../../../contracts/archetypes.ts';
import type {
  CreateDispatch,
  CreateOutcome,
  DispatchFailure,
  NodeStatus,
  OperationDispatch,
  OperationOutcome,
} from '../../../contracts/fleet/protocol.ts';
import type { SessionId } from '../../../contracts/ids.ts';
import {
  driverFailure,
  unavailableFailure,
  type Browser,
  type BrowserReport,
  type Driver,
} from './driver.ts';
import type { DriverLog } from './driver-log.ts';
import { runOperation, type RunOptions } from './run-operation.ts';

export interface SessionsOptions extends RunOptions {
  readonly driver: Driver;
  readonly capacity: number;
  readonly driverLog: DriverLog;
  readonly logger: Logger;
  /** A browser ended without having been asked to. */
  readonly onDeath: (session: SessionId) => void;
  /** A browser has something to tell, while it runs or while it is ended. */
  readonly onReport: (session: SessionId, report: BrowserReport) => void;
}

interface Running {
  /** Undefined when the launch failed. */
  readonly browser: Promise<Browser | undefined>;
  /** The last operation asked for; the next one starts after it. */
  tail: Promise<unknown>;
  closing?: Promise<void>;
}

/** The browser is of no use any more. */
const endsSession = ({ kind }: DispatchFailure) => kind === 'driver' || kind === 'silent';

const failed = (failure: DispatchFailure) => ({ outcome: 'failed', failure }) as const;

/** The browsers of this node. Calls resolve with an outcome and do not reject. */
export class Sessions {
  /** While draining, creates are refused. */
  draining = false;
  private readonly options: SessionsOptions;
  private readonly running = new Map<SessionId, Running>();

  constructor(options: SessionsOptions) {
    this.options = options;
  }

  /** Those starting, running and ending: each takes room. */
  list(): SessionId[] {
    return [...this.running.keys()];
  }

  status(): NodeStatus {
    const { driver, capacity } = this.options;
    return { driver: driver.name, capacity, sessions: this.list(), draining: this.draining };
  }

  async create(dispatch: CreateDispatch): Promise<CreateOutcome> {
    const { capacity, driverLog, logger } = this.options;
    const session = dispatch.session_id;
    if (this.draining) return failed(unavailableFailure('The node takes no new sessions.').failure);
    if (this.running.size >= capacity) return failed(unavailableFailure('The node has no room.').failure);
    if (this.running.has(session)) return failed(driverFailure('The session has a browser already.').failure);
    driverLog({ action: 'launch', session_id: session, dispatch_id: dispatch.dispatch_id });
    const started = this.launch(dispatch);
    const browser = started.catch(() => undefined);
    this.running.set(session, { browser, tail: browser });
    try {
      const { egressCapabilities } = await started;
      return { outcome: 'succeeded', egress_capabilities: egressCapabilities };
    } catch (error) {
      this.running.delete(session);
      logger.error({ err: error, session_id: session }, 'A browser could not be started.');
      return failed(driverFailure('The browser could not be started.').failure);
    }
  }

  async operate(session: SessionId, dispatch: OperationDispatch): Promise<OperationOutcome> {
    const entry = this.running.get(session);
    if (!entry || entry.closing) return failed(driverFailure('The browser of this session is gone.').failure);
    const outcome = entry.tail.then(() => this.run(session, entry, dispatch));
    entry.tail = outcome;
    const settled = await outcome;
    if (settled.outcome === 'failed' && endsSession(settled.failure)) void this.destroy(session);
    return settled;
  }

  /** Resolves when nothing of the session is left, also when there never was anything. */
  async destroy(session: SessionId): Promise<void> {
    const entry = this.running.get(session);
    if (!entry) return;
    entry.closing ??= this.close(session, entry);
    await entry.closing;
  }

  private async launch({ session_id, archetype, proxy }: CreateDispatch): Promise<Browser> {
    const identity = findArchetype(archetype);
    if (!identity) throw new Error(`There is no archetype ${archetype}.`);
    const browser = await this.options.driver.launch(session_id, identity, proxy);
    browser.onDeath(() => this.died(session_id));
    browser.onReport((report) => this.options.onReport(session_id, report));
    return browser;
  }

  private async run(
    session: SessionId,
    entry: Running,
    dispatch: OperationDispatch,
  ): Promise<OperationOutcome> {
    const browser = await entry.browser;
    if (!browser || entry.closing) return failed(driverFailure('The browser was ended.').failure);
    const { operation, dispatch_id } = dispatch;
    this.options.driverLog({ action: 'operate', session_id: session, dispatch_id, operation });
    return runOperation(browser, dispatch, this.options);
  }

  private async close(session: SessionId, entry: Running): Promise<void> {
    const browser = await entry.browser;
    this.options.driverLog({ action: 'close', session_id: session });
    try {
      await browser?.close();
    } catch (error) {
      this.options.logger.error(
        { err: error, session_id: session },
        'Something of a browser is left behind.',
      );
    }
    this.running.delete(session);
  }

  private died(session: SessionId): void {
    const entry = this.running.get(session);
    if (!entry || entry.closing) return;
    this.options.logger.warn({ session_id: session }, 'A browser died.');
    this.options.driverLog({ action: 'death', session_id: session });
    this.options.onDeath(session);
    void this.destroy(session);
  }
}
