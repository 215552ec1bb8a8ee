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

/** The page of one browser as the operations see it. Every call fails with an `OperationFailed`, and by its limits. */
export interface Page {
  /** Files that the session was given, by handle. */
  readonly uploads: Uploaded;
  load(url: string, how: Loading, limits: OperationLimits): Promise<Loaded>;
  reached(state: LoadState, limits: OperationLimits): Promise<void>;
  url(limits: OperationLimits): Promise<string>;
  tabs(limits: OperationLimits): Promise<Tab[]>;
  /** Brings a tab to the front. */
  activate(tab: string, limits: OperationLimits): Promise<void>;
  /** By default the one in front. */
  closeTab(tab: string | undefined, limits: OperationLimits): Promise<void>;
  downloads(limits: OperationLimits): Promise<Download[]>;
  /**
   * Does the work of one action and waits for what it has begun, as `host/settle.js` does. Until then a tab that a page opens does
   * not come to the front: what is looked at and what is touched are the same tab.
   */
  act<T>(work: () => Promise<T>, how: Acting, limits: OperationLimits): Promise<Settled<T>>;
  /** What happened since the last call, without waiting. */
  happened(limits: OperationLimits): Promise<Happened>;
  cookies(limits: OperationLimits): Promise<Cookie[]>;
  /** All of them, or none. */
  setCookies(cookies: readonly Cookie[], limits: OperationLimits): Promise<void>;
  /** How the tab in front is; known within a second or so, whatever is at work in it. */
  state(limits: OperationLimits): Promise<TabState>;
  /** Resolves when the page there is in the place of the present one. By default in the tab in front. */
  goInHistory(direction: 'back' | 'forward', tab: string | undefined, limits: OperationLimits): Promise<void>;
  /** Those of the named headers that the page was answered with. */
  headers(names: readonly string[], limits: OperationLimits): Promise<Record<string, string>>;
  pdf(limits: OperationLimits): Promise<Buffer>;
  /** The viewport or, with a clip, a part of it or of the whole document. */
  screenshot(limits: OperationLimits, clip?: Clip): Promise<Buffer>;
  /** The viewport as a small JPEG, with these parts of it covered. */
  picture(covers: readonly Box[], limits: OperationLimits): Promise<Buffer>;
  /** An editing command of the browser on what has the focus: `Copy`, `Undo`. */
  edit(command: string, limits: OperationLimits): Promise<void>;
  /** Resolves when the page has met the last of it; what it then does, `act` waits for. Fingers that are still down when the time is up are lifted. */
  finger(steps: readonly FingerStep[], limits: OperationLimits, options?: FingerOptions): Promise<void>;
  /**
   * Aims at an element, does the steps, whose points are as seen from where it is met, and says whether they met it. Nothing comes
   * of them where something else was there. Fails with `PageReplaced` when the page is replaced before it is touched.
   */
  press(located: Located, how: Press, limits: OperationLimits): Promise<Pressed>;
  keys(steps: readonly KeyStep[], limits: OperationLimits): Promise<void>;
  /**
   * One of the operations of `page-scripts/service.ts`; what it gives must have this shape. Fails with `PageReplaced` when
   * another document takes the place of the one that it runs in.
   */
  run<T>(script: string, input: object | null, expected: Shape<T>, limits: OperationLimits): Promise<T>;
  /**
   * Resolves once nothing that was begun here is under way any more and the processes that show and load the page answer.
   * Has no limit of its own: it stays pending while the browser is silent.
   */
  settled(): Promise<void>;
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

/** A part of the page in CSS pixels, of the viewport or, where it is `full`, of the document. Without a box, all of it. */
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
  /** How dialogs are answered meanwhile; undefined for the defaults. */
  readonly dialogs: OperationInput<'interact'>['dialogs'];
}

export interface Loading {
  readonly waitUntil: LoadState;
  /** For the origin of the address. */
  readonly credentials?: Navigate['credentials'];
}

export interface Loaded {
  readonly url: string;
  /** Null where there was no HTTP. */
  readonly status: number | null;
}

/** What happened in the tabs of a session without having been asked for. */
export interface Happened {
  readonly dialogs: Dialog[];
  readonly downloads: Download[];
}

export interface Settled<T> extends Happened {
  readonly done: T;
  /** Whether a page was on its way that could not be loaded. */
  readonly loadFailed: boolean;
  /** Whether a page is on its way that has not answered in the time that is left for that. */
  readonly isAwaited: boolean;
  /** The tab that came to the front. */
  readonly tab: string | undefined;
}
