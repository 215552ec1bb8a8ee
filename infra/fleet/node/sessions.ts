import { join } from 'node:path';
import { findArchetype } from '../../../contracts/archetypes.ts';
import type {
  CreateDispatch,
  CreateOutcome,
  DispatchFailure,
  DownloadOutcome,
  LiveDispatch,
  NodeStatus,
  OperationDispatch,
  OperationOutcome,
  PutFile,
  PutFileOutcome,
} from '../../../contracts/fleet/protocol.ts';
import type { ProfileId, SessionId } from '../../../contracts/ids.ts';
import {
  OperationFailed,
  StateNotLeft,
  driverFailure,
  endedTooSoon,
  endsSession,
  limitsOf,
  unavailableFailure,
  type Browser,
  type LaunchOptions,
  type LaunchedProfile,
} from './driver.ts';
import type { DriverLogEntry } from './driver-log.ts';
import { followReports } from './follow-reports.ts';
import { failureOf, metIn, runLive, runOperation } from './run-operation.ts';
import { KeptCaptures, withKept } from './kept-captures.ts';
import { loggedSeat, loggedShow } from './logged.ts';
import { Turns, type Seat } from '../hands/index.ts';
import type { ShowPicture } from './picture.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { Uploads } from './uploads.ts';

interface Running {
  /** Undefined when the launch failed. */
  readonly browser: Promise<Browser | undefined>;
  launched?: Browser;
  /** Reports a warning of its egress, once. */
  warn?: (warning: string) => void;
  /** Cancels the launch if it has not begun. */
  readonly withdrawal: AbortController;
  readonly uploads: Uploads;
  readonly captures: KeptCaptures;
  readonly profile: ProfileId | undefined;
  /** The last requested operation; the next one starts after it. */
  tail: Promise<unknown>;
  closing?: Promise<void>;
}

const failed = (failure: DispatchFailure) => ({ outcome: 'failed', failure }) as const;

type EndBrowser = (browser: Browser, profile: ProfileId | undefined) => Promise<void>;

const noBrowser = () => failed(unavailableFailure('The session has no browser.').failure);

type LiveCall = Pick<Extract<DriverLogEntry, { action: 'live' }>, 'dispatch_id' | 'operation'>;

/** The browsers of this node. Calls resolve with an outcome and do not reject. */
export class Sessions {
  /** The control plane places nothing here: as long as it says so, or permanently. Sessions that it placed before may still arrive. */
  draining = false;
  leaving = false;
  /** Creates are refused. */
  closed = false;
  /** Operations and people take turns with a browser. */
  readonly turns = new Turns();
  readonly #options: SessionsOptions;
  readonly #running = new Map<SessionId, Running>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * Sessions that are starting, running or ending: each takes room. Those whose state is still being saved do not: their browsers have
   * exited.
   */
  list(): SessionId[] {
    return [...this.#running.keys()];
  }

  /** Shows the window of a session's browser; undefined if there is none, or if it cannot be shown. */
  showOf(session: SessionId): ShowPicture | undefined {
    return loggedShow(this.#present(session)?.launched?.show, session, this.#options.driverLog);
  }

  status(): NodeStatus {
    const { name: driver } = this.#options.driver;
    const draining = this.draining || this.leaving;
    return { driver, capacity: this.#capacity(), sessions: this.list(), draining };
  }

  /** Maximal number of sessions: the present number if the machine has no room for more. */
  #capacity(): number {
    const { driver, capacity } = this.#options;
    return driver.isFull() ? Math.min(capacity, this.#running.size) : capacity;
  }

  /** `tenant` is the mark of the session's account. */
  async create(dispatch: CreateDispatch, tenant: string): Promise<CreateOutcome> {
    const { driverLog, logger } = this.#options;
    const session = dispatch.session_id;
    if (this.closed) return failed(unavailableFailure('The node takes no new sessions.').failure);
    if (this.#running.size >= this.#capacity())
      return failed(unavailableFailure('The node has no room.').failure);
    if (this.#running.has(session))
      return failed(driverFailure('The session has a browser already.').failure);
    driverLog({ action: 'launch', session_id: session, dispatch_id: dispatch.dispatch_id });
    const uploads = new Uploads(join(this.#options.uploadsDir, session));
    const withdrawal = new AbortController();
    const started = this.#launch(dispatch, { uploads, tenant, signal: withdrawal.signal });
    const browser = started.catch(() => undefined);
    const captures = new KeptCaptures(join(this.#options.capturesDir, session));
    const profile = dispatch.profile?.profile_id;
    const entry: Running = { browser, withdrawal, uploads, captures, profile, tail: browser };
    this.#running.set(session, entry);
    try {
      entry.launched = await started;
      entry.warn = followReports(entry.launched, (report) => this.#options.onReport(session, report));
      return { outcome: 'succeeded', egress_capabilities: entry.launched.egressCapabilities };
    } catch (error) {
      this.#running.delete(session);
      if (error instanceof OperationFailed) return failed(error.failure);
      logger.error({ err: error, session_id: session }, 'A browser could not be started.');
      return failed(driverFailure('The browser could not be started.').failure);
    }
  }

  async operate(session: SessionId, dispatch: OperationDispatch): Promise<OperationOutcome> {
    const entry = this.#running.get(session);
    if (!entry || entry.closing) return failed(driverFailure('The browser of this session is gone.').failure);
    const outcome = entry.tail.then(() => this.#run(session, entry, dispatch));
    // Without the outcome, which may be large: it is not needed once it has been sent.
    entry.tail = outcome.then(() => undefined);
    const settled = await outcome;
    if (settled.outcome === 'failed' && endsSession(settled.failure)) void this.discard(session);
    return settled;
  }

  /** Runs beside the operations: it waits for none, and its failure does not end the session. */
  async live(session: SessionId, dispatch: LiveDispatch): Promise<OperationOutcome> {
    const entry = this.#present(session);
    if (!entry?.launched) return noBrowser();
    this.#logLive(session, dispatch);
    return runLive(entry.launched, entry.captures, dispatch, this.#options);
  }

  async putFile(
    session: SessionId,
    file: PutFile,
    content: AsyncIterable<Uint8Array>,
  ): Promise<PutFileOutcome> {
    const entry = this.#present(session);
    if (!entry?.launched) return noBrowser();
    this.#logLive(session, { ...file, operation: 'files_put' });
    try {
      return { outcome: 'succeeded', result: await entry.uploads.put(file, content) };
    } catch (error) {
      return failed(failureOf(error, 'files_put', this.#options.logger));
    }
  }

  /** The outcome and, if it is a success, the content, which the caller must read or destroy. */
  async download(
    session: SessionId,
    dispatch: { readonly dispatch_id: string; readonly name: string; readonly timeout_ms: number },
  ): Promise<{ readonly outcome: DownloadOutcome; readonly content: AsyncIterable<Uint8Array> | undefined }> {
    const browser = this.#present(session)?.launched;
    if (!browser) return { outcome: noBrowser(), content: undefined };
    this.#logLive(session, { ...dispatch, operation: 'download_content' });
    try {
      const { entry, content } = await browser.download(dispatch.name, limitsOf(dispatch.timeout_ms));
      return { outcome: { outcome: 'succeeded', result: entry }, content };
    } catch (error) {
      const failure = failureOf(error, 'download_content', this.#options.logger);
      return { outcome: failed(failure), content: undefined };
    }
  }

  /**
   * Ends a session on request of the control plane: the state of its profile is saved afterwards. Resolves when the browser has exited, or
   * if there was none.
   */
  destroy(session: SessionId): Promise<void> {
    return this.#end(session, (browser, profile) =>
      profile === undefined ? browser.close() : this.#leave(session, browser, profile),
    );
  }

  /** Ends a session that has failed, or that the node gives up, without saving its state. */
  discard(session: SessionId): Promise<void> {
    return this.#end(session, (browser) => browser.close());
  }

  /** The browser of a session for people's input; undefined if there is none. */
  seatOf(session: SessionId): Seat | undefined {
    const browser = this.#present(session)?.launched;
    return browser && loggedSeat(browser, session, this.#options.driverLog);
  }

  /** Adds a warning to the egress of a session's browser, and reports that once. */
  warn(session: SessionId, warning: string): void {
    this.#present(session)?.warn?.(warning);
  }

  #present(session: SessionId): Running | undefined {
    const entry = this.#running.get(session);
    return entry?.closing ? undefined : entry;
  }

  #logLive(session_id: SessionId, { dispatch_id, operation }: LiveCall): void {
    this.#options.driverLog({ action: 'live', session_id, dispatch_id, operation });
  }

  async #launch(dispatch: CreateDispatch, own: LaunchOptions): Promise<Browser> {
    const { session_id, archetype, proxy, geolocation } = dispatch;
    const identity = findArchetype(archetype);
    if (!identity) throw new Error(`There is no archetype ${archetype}.`);
    const profile = await this.#profileOf(dispatch);
    try {
      const options = { ...own, proxy, profile, geolocation };
      const browser = await this.#options.driver.launch(session_id, identity, options);
      browser.onDeath(() => this.#died(session_id));
      return browser;
    } finally {
      profile?.state?.destroy();
    }
  }

  async #profileOf({ session_id, profile }: CreateDispatch): Promise<LaunchedProfile | undefined> {
    if (!profile) return undefined;
    const identity = { profileId: profile.profile_id, noiseSeed: profile.noise_seed };
    if (!profile.has_state) return identity;
    return { ...identity, state: await this.#options.states.fetch(session_id) };
  }

  async #run(session: SessionId, entry: Running, dispatch: OperationDispatch): Promise<OperationOutcome> {
    const browser = await entry.browser;
    if (!browser || entry.closing) return failed(driverFailure('The browser was ended.').failure);
    const { operation, dispatch_id } = dispatch;
    this.#options.driverLog({ action: 'operate', session_id: session, dispatch_id, operation });
    const outcome = await this.turns.operate(session, () => runOperation(browser, dispatch, this.#options));
    if (operation === 'interact') this.turns.met(session, metIn(outcome));
    return withKept(entry.captures, dispatch, outcome, this.#options.logger);
  }

  async #end(session: SessionId, endBrowser: EndBrowser): Promise<void> {
    const entry = this.#running.get(session);
    if (!entry) return;
    entry.closing ??= this.#close(session, entry, endBrowser);
    await entry.closing;
  }

  async #close(session: SessionId, entry: Running, endBrowser: EndBrowser): Promise<void> {
    entry.withdrawal.abort(driverFailure('The session ended before its browser was started.'));
    const browser = await entry.browser;
    this.#options.driverLog({ action: 'close', session_id: session });
    this.#options.onClosing?.(session);
    const cleanups = [
      async () => browser && endBrowser(browser, entry.profile),
      () => entry.uploads.remove(),
      () => entry.captures.remove(),
    ];
    // All of them run, even when one fails.
    for (const cleanup of cleanups)
      await cleanup().catch((error: unknown) => {
        const about = { err: error, session_id: session };
        this.#options.logger.error(about, 'A browser was not cleaned up completely.');
      });
    this.#running.delete(session);
  }

  /** Ends the browser; its state is saved in the background. */
  async #leave(session: SessionId, browser: Browser, profile: ProfileId): Promise<void> {
    const notSaved = (error: StateNotLeft) => {
      const { reason, message: detail } = error;
      this.#options.logger.error({ err: error, session_id: session }, 'A browser left no state.');
      this.#options.onReport(session, { kind: 'profile_save_failed', profile_id: profile, reason, detail });
    };
    try {
      const state = await browser.leave();
      this.#options.saves.begin({ session, state, onUnpackable: notSaved });
    } catch (error) {
      notSaved(error instanceof StateNotLeft ? error : endedTooSoon(error));
    }
  }

  #died(session: SessionId): void {
    const entry = this.#running.get(session);
    if (!entry || entry.closing) return;
    this.#options.logger.warn({ session_id: session }, 'A browser died.');
    this.#options.driverLog({ action: 'death', session_id: session });
    this.#options.onDeath(session);
    void this.discard(session);
  }
}
