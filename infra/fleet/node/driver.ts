import type { Readable } from 'node:stream';
import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import type { Archetype } from '../../../contracts/resources/archetype.ts';
import type { DialledProxy } from '../../../contracts/resources/proxy.ts';
import type { EgressCapabilities, FailureCategory, Operation } from '../../../contracts/operations.ts';
import type { DispatchFailure, Report } from '../../../contracts/fleet/protocol.ts';
import type {
  LiveInput,
  LiveOperation,
  LiveResult,
  OperationInput,
  OperationResult,
} from '../../../contracts/fleet/operations.ts';
import type { ProfileId, SessionId } from '../../../contracts/ids.ts';
import type { StateCensus } from '../../../contracts/profile-state.ts';
import type { Modifier } from '../../../contracts/resources/pair-mode.ts';
import type { CursorMessage, HeldDialog, KeyboardWanted } from '../../../contracts/resources/room.ts';
import type { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import type { DownloadEntry, UploadHandle } from '../../../contracts/resources/live.ts';
import type { ShowPicture } from './picture.ts';

/** Time limit of one operation, and the signal that is aborted at its end. */
export interface OperationLimits {
  readonly timeoutMs: number;
  /** End of the time limit, in milliseconds of `performance.now()`. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

/** Limits that begin now. */
export const limitsOf = (timeoutMs: number): OperationLimits => ({
  timeoutMs,
  endsAt: performance.now() + timeoutMs,
  signal: AbortSignal.timeout(timeoutMs),
});

/** The same limits, except that they end after at most that many milliseconds. */
export const atMost = (limits: OperationLimits, ms: number): OperationLimits => ({
  ...limits,
  endsAt: Math.min(limits.endsAt, performance.now() + ms),
});

/**
 * A driver's operations. Each resolves with the result or throws `OperationFailed`, but only once the browser has stopped working on it,
 * even if the signal is aborted. One that cannot be stopped, or whose browser does not answer, stays pending: the node then gives up the
 * browser.
 */
export type OperationTable = {
  readonly [O in Operation]: (
    input: OperationInput<O>,
    limits: OperationLimits,
  ) => Promise<OperationResult<O>>;
};

type Run<I, R> = (input: I, limits: OperationLimits) => Promise<R>;

/** The same operations, each wrapped by `wrap`. */
export const wrapOperations = (
  table: OperationTable,
  wrap: <I, R>(run: Run<I, R>) => Run<I, R>,
): OperationTable => ({
  navigate: wrap(table.navigate),
  interact: wrap(table.interact),
  wait: wrap(table.wait),
  state_capture: wrap(table.state_capture),
  capture: wrap(table.capture),
  extract: wrap(table.extract),
  search: wrap(table.search),
  login: wrap(table.login),
});

/** Captures are stored by the node, not by the driver. */
type AskedLive = Exclude<LiveOperation, 'kept_capture'>;

/** Calls that may run beside an operation, with the same guarantees. */
export type LiveTable = {
  readonly [O in AskedLive]: (input: LiveInput<O>, limits: OperationLimits) => Promise<LiveResult<O>>;
};

/** A file that the session has stored. Its content can be read once. */
export interface DownloadContent {
  readonly entry: DownloadEntry;
  readonly content: AsyncIterable<Uint8Array>;
}

type WithoutEnvelope<Reported extends Report> = Reported extends Report
  ? Omit<Reported, 'report_id' | 'session_id' | 'at'>
  : never;

/** A report of a browser; the node adds the session and the time. Death has its own listener. */
export type BrowserReport = WithoutEnvelope<Exclude<Report, { kind: 'session_died' }>>;

/** The point that an operation is about to touch, and in how many milliseconds. */
export type Aim = Omit<CursorMessage, 'met'>;

/** A person's answer to the dialog with that id. An `alert` is accepted anyway; `text` is for prompts. */
export interface DialogAnswer {
  readonly id: number;
  readonly accept: boolean;
  readonly text?: string | undefined;
}

/**
 * A person's fingers and keys, in CSS pixels of the screen. The page gets input in the order of the calls; each resolves when the browser
 * has it, or rejects with `OperationFailed`.
 */
export interface Hands {
  readonly viewport: { readonly width: number; readonly height: number };
  /** `finger` is 0 or 1. It comes down, moves or is lifted; the caller ensures that the order is possible. */
  touch(step: {
    readonly type: 'down' | 'move' | 'up';
    readonly finger: number;
    readonly x: number;
    readonly y: number;
  }): Promise<void>;
  /** Presses a key, given by its UI Events name or its character, until it is released. */
  keyDown(key: string, modifiers: readonly Modifier[]): Promise<void>;
  keyUp(key: string): Promise<void>;
  /** Enters text as an input method does. */
  text(text: string): Promise<void>;
  paste(text: string): Promise<void>;
  /** The page's selected text, without secrets. */
  selection(): Promise<string>;
  /** The keyboard that a phone would show now; null for none. */
  keyboard(): Promise<KeyboardWanted | null>;
  /** Releases all fingers and keys. */
  lift(): Promise<void>;
  /**
   * From now on operations announce each touch to the listener and delay it, until the returned function is called. A later listener
   * replaces the former.
   */
  watchAims(listener: (aim: Aim) => void): () => void;
  /**
   * From now on a dialog of the page in front stays open, for `dialogHeldMs` at most, and is announced to the listener, as is its end, by
   * null. The returned function ends this; it resolves once a dialog that is open has got its default answer. A later listener replaces
   * the former.
   */
  holdDialogs(listener: (dialog: HeldDialog | null) => void): () => Promise<void>;
  /** Answers the open dialog. False if it is not open any more. */
  answerDialog(answer: DialogAnswer): Promise<boolean>;
}

/** A running browser of one session. Any other error than `OperationFailed` means that the browser is broken. */
export interface Browser {
  readonly operations: OperationTable;
  readonly live: LiveTable;
  readonly hands: Hands;
  /** The whole file with that name. */
  download(name: string, limits: OperationLimits): Promise<DownloadContent>;
  readonly egressCapabilities: EgressCapabilities | null;
  /** Shows its window. Absent where the browser has no picture, or the machine cannot show it. */
  readonly show?: ShowPicture;
  /** Called once when the browser has exited without a call of `close`. */
  onDeath(listener: () => void): void;
  /** Called for each report, until `close` has resolved. */
  onReport(listener: (report: BrowserReport) => void): void;
  /** Ends the browser and removes all of its data; resolves when it has exited. Idempotent. */
  close(): Promise<void>;
  /**
   * Ends a browser that was launched with a profile, as `close` does, but keeps the data that its pages have stored. Rejects with
   * `StateNotLeft`, or if the browser dies meanwhile; its data is removed then.
   */
  leave(): Promise<LeftState>;
}

/** The browser identity that a browser is started with. */
export interface LaunchedProfile {
  readonly profileId: ProfileId;
  readonly noiseSeed: string;
  /** Archive of the profile's state. Must be read to its end or destroyed. */
  readonly state?: Readable;
}

/** Files of an ended browser, which do not change any more. */
export interface LeftState {
  readonly census: StateCensus;
  /** Packs the files while it is read. Each call starts a new archive. */
  archive(): Readable;
  remove(): Promise<void>;
}

export type ProfileSaveFailure = (typeof profileSaveFailures)[number];

/** A browser has ended in order, but its state must not be saved. */
export class StateNotLeft extends Error {
  readonly reason: ProfileSaveFailure;

  /** `detail` is shown to the client, and is in our own words. */
  constructor(reason: ProfileSaveFailure, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'StateNotLeft';
    this.reason = reason;
  }
}

/** The browser ended before its state could be read. */
export const endedTooSoon = (cause: unknown): StateNotLeft =>
  new StateNotLeft('serialize_failed', 'The browser ended before its state could be read.', { cause });

export interface UploadedFile extends UploadHandle {
  /** The content, in chunks of at most `pieceBytes` bytes. */
  read(pieceBytes: number): AsyncIterable<Uint8Array>;
}

/** Files that a session was given, by handle. */
export interface Uploaded {
  find(handle: string): UploadedFile | undefined;
}

export interface LaunchOptions {
  /** The files that pages can be given. */
  readonly uploads: Uploaded;
  /** Proxy of all of the browser's connections. */
  readonly proxy?: DialledProxy | undefined;
  readonly profile?: LaunchedProfile | undefined;
  /** Geolocation reported to pages; by default none. */
  readonly geolocation?: Geolocation | undefined;
  /** Mark of the session's account; the same for all accounts without one. */
  readonly tenant: string;
  /** Once aborted, a launch that has not begun rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs browsers on this node. */
export interface Driver {
  readonly name: 'webkit' | 'simulated';
  /** Resolves once a browser has been started, for a later session or as a trial; rejects with the missing requirement. */
  ready(): Promise<void>;
  /** Why this machine cannot show browser windows; absent if it can. */
  readonly shownNothing?: string;
  /** Whether the machine has no room for another browser now. */
  isFull(): boolean;
  /** Also rejects if the profile's state cannot be read to its end; the browser's data is removed then. */
  launch(session: SessionId, archetype: Archetype, options: LaunchOptions): Promise<Browser>;
  close(): Promise<void>;
}

/** An operation failed in a way that the protocol defines. */
export class OperationFailed extends Error {
  readonly failure: DispatchFailure;

  constructor(failure: DispatchFailure, options?: ErrorOptions) {
    super(failure.reason, options);
    this.name = 'OperationFailed';
    this.failure = failure;
  }
}

/** Caused by the page: the session continues. */
export const pageFailure = (category: FailureCategory, reason: string): OperationFailed =>
  new OperationFailed({ kind: 'page', category, reason });

/** The condition or the load took too long: the session continues. */
export const timeoutFailure = (category: FailureCategory, reason: string): OperationFailed =>
  new OperationFailed({ kind: 'timeout', category, reason });

export const unavailableFailure = (reason: string): OperationFailed =>
  new OperationFailed({ kind: 'unavailable', category: 'invalid_request', reason });

/** The browser does not answer: the session ends. */
export const silentFailure = (reason: string): OperationFailed =>
  new OperationFailed({ kind: 'silent', category: 'session_error', reason });

/** The browser is gone or broken: the session ends. */
export const driverFailure = (reason: string, options?: ErrorOptions): OperationFailed =>
  new OperationFailed({ kind: 'driver', category: 'session_error', reason }, options);

/** Whether a failure means that the browser is unusable. */
export const endsSession = ({ kind }: DispatchFailure): boolean => kind === 'driver' || kind === 'silent';
