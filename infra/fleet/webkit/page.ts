import type { OperationInput } from '../../../contracts/fleet/operations.ts';
import type { PageState } from '../../../contracts/resources/live.ts';
import type { Dialog, Download, Tab } from '../../../contracts/resources/session-tabs.ts';
import type { Cookie, Navigate } from '../../../contracts/resources/session.ts';
import type { OperationLimits, Uploaded } from '../node/driver.ts';
import type { Shape } from '../shape.ts';
import type { Located } from './operations/target.ts';
import type { Press, Pressed } from './page-press.ts';
import type { FingerStep, KeyStep } from './steps.ts';

export type LoadState = 'load' | 'domcontentloaded' | 'networkidle';

/**
 * The page of one browser as the operations use it. Every call throws `OperationFailed`, and ends within its limits.
 */
export interface Page {
  /** Files uploaded to the session, by handle. */
  readonly uploads: Uploaded;
  load(url: string, how: Loading, limits: OperationLimits): Promise<Loaded>;
  reached(state: LoadState, limits: OperationLimits): Promise<void>;
  url(limits: OperationLimits): Promise<string>;
  /** Whether the tab in front is loading, or has requests in flight. Event streams and web sockets do not count. */
  isBusy(limits: OperationLimits): Promise<boolean>;
  /** Brings a tab to the front. */
  activate(tab: string, limits: OperationLimits): Promise<void>;
  /** Closes a tab, by default the one in front. */
  closeTab(tab: string | undefined, limits: OperationLimits): Promise<void>;
  downloads(limits: OperationLimits): Promise<Download[]>;
  /**
   * Runs one action and waits for the loads and downloads it began, as in `host/settle.js`. Meanwhile a tab that the page opens stays in
   * the background, so that the same tab is aimed at and touched.
   */
  act<T>(work: () => Promise<T>, how: Acting, limits: OperationLimits): Promise<Settled<T>>;
  /** Dialogs and downloads since the last call. Does not wait. */
  happened(limits: OperationLimits): Promise<Happened>;
  /** What `GET …/state` shows, in one message of the browser. */
  captureState(limits: OperationLimits): Promise<CapturedState>;
  cookies(limits: OperationLimits): Promise<Cookie[]>;
  /** Sets all of the cookies, or none. */
  setCookies(cookies: readonly Cookie[], limits: OperationLimits): Promise<void>;
  /** State of the tab in front. Answers within about a second, even when its script is busy. */
  state(limits: OperationLimits): Promise<TabState>;
  /** Resolves when the other history entry has replaced the current page. By default in the tab in front. */
  goInHistory(direction: 'back' | 'forward', tab: string | undefined, limits: OperationLimits): Promise<void>;
  /** The named ones of the page's response headers. */
  headers(names: readonly string[], limits: OperationLimits): Promise<Record<string, string>>;
  pdf(limits: OperationLimits): Promise<Buffer>;
  /** PNG of the viewport or, with a clip, of a part of it or of the document. */
  screenshot(limits: OperationLimits, clip?: Clip): Promise<Buffer>;
  /** Small JPEG of the viewport, with these boxes covered. */
  picture(covers: readonly Box[], limits: OperationLimits): Promise<Buffer>;
  /** Runs an editing command of the browser on the focused element: `Copy`, `Undo`. */
  edit(command: string, limits: OperationLimits): Promise<void>;
  /**
   * Resolves when the page has received the last event; `act` waits for the consequences. Fingers that are still down at the time limit are
   * lifted.
   */
  finger(steps: readonly FingerStep[], limits: OperationLimits, options?: FingerOptions): Promise<void>;
  /**
   * Finds the element, performs the steps, whose points are relative to its hit point, and returns whether they hit it. If something else
   * was hit, the steps have no effect. Throws `PageReplaced` if the page is replaced before the touch.
   */
  press(located: Located, how: Press, limits: OperationLimits): Promise<Pressed>;
  keys(steps: readonly KeyStep[], limits: OperationLimits): Promise<void>;
  /**
   * Runs an operation of `page-scripts/service.ts` and checks its result against this shape. Throws `PageReplaced` when
   * its document is replaced meanwhile.
   */
  run<T>(script: string, input: object | null, expected: Shape<T>, limits: OperationLimits): Promise<T>;
  /**
   * Resolves once no command is under way any more and the web and network processes answer. It has no time limit: it
   * stays pending while the browser is silent.
   */
  settled(): Promise<void>;
}

export interface CapturedState {
  readonly url: string;
  readonly cookies: Cookie[];
  readonly tabs: Tab[];
  readonly downloads: Download[];
  /** The page of the tab in front. */
  readonly page: { readonly title: string; readonly local_storage: Readonly<Record<string, string>> };
}

export interface TabState {
  readonly state: PageState['state'];
  readonly url: string;
  readonly title: string;
  readonly tab: string;
  readonly problem: PageState['error'];
}

export interface FingerOptions {
  /** Whether taps in quick succession are one double tap. */
  readonly multiple?: boolean;
}

/** A part of the page in CSS pixels, of the viewport or, if `full`, of the document. Without a box, all of it. */
export interface Clip {
  readonly full: boolean;
  readonly box?: Box;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Acting {
  /** Answers to dialogs meanwhile; undefined for the defaults. */
  readonly dialogs: OperationInput<'interact'>['dialogs'];
}

export interface Loading {
  readonly waitUntil: LoadState;
  /** Sent to the origin of the address. */
  readonly credentials?: Navigate['credentials'];
}

export interface Loaded {
  readonly url: string;
  /** Null if the address was not loaded over HTTP. */
  readonly status: number | null;
}

/** Events in the tabs of a session that no operation requested. */
export interface Happened {
  readonly dialogs: Dialog[];
  readonly downloads: Download[];
}

export interface Settled<T> extends Happened {
  readonly done: T;
  /** Whether a page started loading and failed. */
  readonly loadFailed: boolean;
  /** Whether a page started loading and did not answer in time. */
  readonly isAwaited: boolean;
  /** The tab that came to the front. */
  readonly tab: string | undefined;
}
