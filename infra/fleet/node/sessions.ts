import type { Logger } from 'pino';
import { findArchetype } from '../../../contracts/archetypes.ts';
import type {
  CreateDispatch,
  CreateOutcome,
  DispatchFailure,
  OperationDispatch,
  OperationOutcome,
} from '../../../contracts/fleet/protocol.ts';
import type { SessionId } from '../../../contracts/ids.ts';
import { driverFailure, unavailableFailure, type Browser, type Driver } from './driver.ts';
import type { DriverLog } from './driver-log.ts';
import { runOperation, type RunOptions } from './run-operation.ts';

export interface SessionsOptions extends RunOptions {
  readonly driver: Driver;
  readonly capacity: number;
  readonly driverLog: DriverLog;
  readonly logger: Logger;
  /** A browser ended without having been asked to. */
  readonly onDeath: (session: SessionId) => void;
}

/** The browsers of this node. Calls resolve with an outcome and do not reject. */
export interface Sessions {
  create(dispatch: CreateDispatch): Promise<CreateOutcome>;
  operate(session: SessionId, dispatch: OperationDispatch): Promise<OperationOutcome>;
  /** Resolves when nothing of the session is left, also when there never was anything. */
  destroy(session: SessionId): Promise<void>;
  /** While draining, creates are refused. */
  setDraining(draining: boolean): void;
  readonly draining: boolean;
  /** Those starting, running and ending: each takes room. */
  list(): SessionId[];
}

interface Running {
  /** Undefined when the launch failed. */
  readonly browser: Promise<Browser | undefined>;
  /** The last operation asked for; the next one starts after it. */
  tail: Promise<unknown>;
  closing?: Promise<void>;
}

const failed = (failure: DispatchFailure) => ({ outcome: 'failed', failure }) as const;

export function createSessions(options: SessionsOptions): Sessions {
  const { driver, capacity, driverLog, logger, onDeath } = options;
  const running = new Map<SessionId, Running>();
  let draining = false;

  const destroy = async (session: SessionId) => {
    const entry = running.get(session);
    if (!entry) return;
    entry.closing ??= close(session, entry);
    await entry.closing;
  };
  const close = async (session: SessionId, entry: Running) => {
    const browser = await entry.browser;
    driverLog({ action: 'close', session_id: session });
    try {
      await browser?.close();
    } catch (error) {
      logger.error({ err: error, session_id: session }, 'Something of a browser is left behind.');
    }
    running.delete(session);
  };
  const died = (session: SessionId) => {
    const entry = running.get(session);
    if (!entry || entry.closing) return;
    logger.warn({ session_id: session }, 'A browser died.');
    driverLog({ action: 'death', session_id: session });
    onDeath(session);
    void destroy(session);
  };
  const launch = async ({ session_id, archetype }: CreateDispatch) => {
    const identity = findArchetype(archetype);
    if (!identity) throw new Error(`There is no archetype ${archetype}.`);
    const browser = await driver.launch(session_id, identity);
    browser.onDeath(() => died(session_id));
    return browser;
  };

  return {
    create: async (dispatch) => {
      const session = dispatch.session_id;
      if (draining) return failed(unavailableFailure('The node takes no new sessions.').failure);
      if (running.size >= capacity) return failed(unavailableFailure('The node has no room.').failure);
      if (running.has(session)) return failed(driverFailure('The session has a browser already.').failure);
      driverLog({ action: 'launch', session_id: session, dispatch_id: dispatch.dispatch_id });
      const started = launch(dispatch);
      const browser = started.catch(() => undefined);
      running.set(session, { browser, tail: browser });
      try {
        const { egressCapabilities } = await started;
        return { outcome: 'succeeded', egress_capabilities: egressCapabilities };
      } catch (error) {
        running.delete(session);
        logger.error({ err: error, session_id: session }, 'A browser could not be started.');
        return failed(driverFailure('The browser could not be started.').failure);
      }
    },
    operate: async (session, dispatch) => {
      const entry = running.get(session);
      if (!entry || entry.closing)
        return failed(driverFailure('The browser of this session is gone.').failure);
      const outcome = entry.tail.then(async () => {
        const browser = await entry.browser;
        if (!browser || entry.closing) return failed(driverFailure('The browser was ended.').failure);
        driverLog({
          action: 'operate',
          session_id: session,
          dispatch_id: dispatch.dispatch_id,
          operation: dispatch.operation,
        });
        return runOperation(browser, dispatch, options);
      });
      entry.tail = outcome;
      const settled = await outcome;
      if (settled.outcome === 'failed' && settled.failure.kind === 'driver') void destroy(session);
      return settled;
    },
    destroy,
    setDraining: (value) => {
      draining = value;
    },
    get draining() {
      return draining;
    },
    list: () => [...running.keys()],
  };
}
