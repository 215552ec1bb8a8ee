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
import type { CursorMessage, KeyboardWanted } from '../../../contracts/resources/room.ts';
import type { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import type { DownloadEntry, UploadHandle } from '../../../contracts/resources/live.ts';
import type { ShowPicture } from './picture.ts';

/** How long one operation may take, and the signal that says the time is up. */
export interface OperationLimits {
  readonly timeoutMs: number;
  /** When the time is up, by `performance.now()`. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

/** Limits that begin now. */
export const limitsOf = (timeoutMs: number): OperationLimits => ({
  timeoutMs,
  endsAt: performance.now() + timeoutMs,
  signal: AbortSignal.timeout(timeoutMs),
});

/**
 * One entry per operation, so that a driver is a table. Each resolves with the result or throws `OperationFailed`, and does
 * neither before the browser has stopped working on it, also when the signal was aborted. One that cannot be stopped, or
 * whose browser does not answer, stays pending: the node then gives the browser up.
 */
export type OperationTable = {
  readonly [O in Operation]: (
    input: OperationInput<O>,
    limits: OperationLimits,
  ) => Promise<OperationResult<O>>;
};

type Run<I, R> = (input: I, limits: OperationLimits) => Promise<R>;

/** The same operations, each run by what `wrap` makes of it. */
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

/** Captures are kept by the node, whatever its browsers are. */
type AskedLive = Exclude<LiveOperation, 'kept_capture'>;

/** What is asked of a browser while an operation may be at work in it, with the same promises. */
export type LiveTable = {
  readonly [O in AskedLive]: (input: LiveInput<O>, limits: OperationLimits) => Promise<LiveResult<O>>;
};

/** A file that the session has kept. Its content is read once, or not at all. */
export interface DownloadContent {
  readonly entry: DownloadEntry;
  readonly content: AsyncIterable<Uint8Array>;
}

type WithoutEnvelope<Reported extends Report> = Reported extends Report
  ? Omit<Reported, 'report_id' | 'session_id' | 'at'>
  : never;

/** What a browser reports by itself; the node adds the session and the time. Its death has a listener of its own. */
export type BrowserReport = WithoutEnvelope<Exclude<Report, { kind: 'session_died' }>>;

/** Where an operation is about to touch, and in how many milliseconds. */
export type Aim = Omit<CursorMessage, 'met'>;

/**
 * A person's fingers and keys, in CSS pixels of the screen. What is done comes to the page in the order in which it is asked for; each
 * resolves when the browser has it, and fails with an `OperationFailed`.
 */
export interface Hands {
  readonly viewport: { readonly width: number; readonly height: number };
  /** `finger` 0 or 1. One comes down, moves and is lifted; whether it can is for the caller to know. */
  touch(step: {
    readonly type: 'down' | 'move' | 'up';
    readonly finger: number;
    readonly x: number;
    readonly y: number;
  }): Promise<void>;
  /** By its name in UI Events, or the character that it writes. Held until it is released. */
  keyDown(key: string, modifiers: readonly Modifier[]): Promise<void>;
  keyUp(key: string): Promise<void>;
  /** As from an input method. */
  text(text: string): Promise<void>;
  paste(text: string): Promise<void>;
  /** What the page has selected; nothing of a secret. */
  selection(): Promise<string>;
  /** The keyboard that a phone would show now. */
  keyboard(): Promise<KeyboardWanted | null>;
  /** Releases all fingers and keys. */
  lift(): Promise<void>;
  /** From now on operations wait before they touch, by so much, and say where; undefined: no longer. */
  watchAims(listener: ((aim: Aim) => void) | undefined): void;
}

/** A running browser of one session. Anything thrown that is not an `OperationFailed` means the browser is broken. */
export interface Browser {
  readonly operations: OperationTable;
  readonly live: LiveTable;
  readonly hands: Hands;
  /** The whole file of that name. */
  download(name: string, limits: OperationLimits): Promise<DownloadContent>;
  readonly egressCapabilities: EgressCapabilities | null;
  /** Shows its window. Absent where there is nothing to see, or nothing to show it with. */
  readonly show?: ShowPicture;
  /** Called once when the browser is gone without `close` having been asked for. */
  onDeath(listener: () => void): void;
  /** Called for each report, until `close` has resolved. */
  onReport(listener: (report: BrowserReport) => void): void;
  /** Ends the browser and removes everything of it; resolves when it is gone. Safe to call more than once. */
  close(): Promise<void>;
  /**
   * Ends a browser that was launched with a profile, as `close` does, but keeps what its pages have stored. Rejects with
   * `StateNotLeft`, or when the browser dies meanwhile; nothing of it is left then.
   */
  leave(): Promise<LeftState>;
}

/** The browser identity that a browser is started with. */
export interface LaunchedProfile {
  readonly profileId: ProfileId;
  readonly noiseSeed: string;
  /** The archive of the state that the profile has. It is read to its end or destroyed. */
  readonly state?: Readable;
}

/** What a browser has left: files that nothing writes to any more, until they are removed. */
export interface LeftState {
  readonly census: StateCensus;
  /** Packs the files while it is read. Each call begins anew. */
  archive(): Readable;
  remove(): Promise<void>;
}

export type ProfileSaveFailure = (typeof profileSaveFailures)[number];

/** A browser that ended well has left nothing that may be saved. */
export class StateNotLeft extends Error {
  readonly reason: ProfileSaveFailure;

  /** `detail` is for the client: our own words. */
  constructor(reason: ProfileSaveFailure, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'StateNotLeft';
    this.reason = reason;
  }
}

export interface UploadedFile extends UploadHandle {
  /** The content, in chunks of at most `pieceBytes` bytes. */
  read(pieceBytes: number): AsyncIterable<Uint8Array>;
}

/** The files that a session was given, by handle. */
export interface Uploaded {
  find(handle: string): UploadedFile | undefined;
}

export interface LaunchOptions {
  /** Where the files come from that pages are given. */
  readonly uploads: Uploaded;
  /** What every connection of the browser goes out through. */
  readonly proxy?: DialledProxy | undefined;
  readonly profile?: LaunchedProfile | undefined;
  /** Geolocation reported to pages; by default none. */
  readonly geolocation?: Geolocation | undefined;
  /** The mark of the session's account; the same for all that have none. */
  readonly tenant: string;
  /** Aborted: a launch that has not begun rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What runs browsers on this node. */
export interface Driver {
  readonly name: 'webkit' | 'simulated';
  /** Resolves once a browser has been started, for a session to come or for the trial alone; rejects with what is missing. */
  ready(): Promise<void>;
  /** Why the windows of its browsers cannot be shown; absent where they can. */
  readonly shownNothing?: string;
  /** Whether the machine has no room for another browser now. */
  isFull(): boolean;
  /** Rejects where the profile's state cannot be read to its end, too; nothing of the browser is left then. */
  launch(session: SessionId, archetype: Archetype, options: LaunchOptions): Promise<Browser>;
  close(): Promise<void>;
}

/** An operation that did not succeed in a way the protocol has words for. */
export class OperationFailed extends Error {
  readonly failure: DispatchFailure;

  constructor(failure: DispatchFailure, options?: ErrorOptions) {
    super(failure.reason, options);
    this.name = 'OperationFailed';
    this.failure = failure;
  }
}

/** The page's doing: the session lives on. */
export const pageFailure = (category: FailureCategory, reason: string): OperationFailed =>
  new OperationFailed({ kind: 'page', category, reason });

/** The condition or the load did not come in time: the session lives on. */
export const timeoutFailure = (category: FailureCategory, reason: string): OperationFailed =>
  new OperationFailed({ kind: 'timeout', category, reason });

export const unavailableFailure = (reason: string): OperationFailed =>
  new OperationFailed({ kind: 'unavailable', category: 'invalid_request', reason });

/** The browser does not answer: the session ends with it. */
export const silentFailure = (reason: string): OperationFailed =>
  new OperationFailed({ kind: 'silent', category: 'session_error', reason });

/** The browser is gone or broken: the session ends with it. */
export const driverFailure = (reason: string, options?: ErrorOptions): OperationFailed =>
  new OperationFailed({ kind: 'driver', category: 'session_error', reason }, options);
