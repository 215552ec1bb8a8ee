import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, closed, nullable } from '../../../contracts/schema.ts';
import type { OperationInput } from '../../../contracts/fleet/operations.ts';
import type { Cookie, Navigate } from '../../../contracts/resources/session.ts';
import type { PageState } from '../../../contracts/resources/live.ts';
import { Dialog, Download, Tab } from '../../../contracts/resources/session-tabs.ts';
import { driverFailure, type OperationLimits } from '../node/driver.ts';
import type { Uploads } from '../node/uploads.ts';
import { shape, type Shape } from '../shape.ts';
import { ask, nothing, unreadable, valueOf, within } from './ask.ts';
import { HostError } from './host-channel.ts';
import { liveOf } from './page-live.ts';
import type { Instance } from './instance.ts';
import { readOwnFile } from './own-files.ts';
import { press, type Press, type Pressed } from './page-press.ts';
import type { Located } from './operations/target.ts';
import { explain, translate } from './page-failures.ts';
import type { FingerStep, KeyStep } from './steps.ts';

export type LoadState = 'load' | 'domcontentloaded' | 'networkidle';

/** The page of one browser as the operations see it. Every call fails with an `OperationFailed`, and by its limits. */
export interface Page {
  /** Files that the session was given, by handle. */
  readonly uploads: Pick<Uploads, 'find'>;
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
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
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
  /** The tab that came to the front. */
  readonly tab: string | undefined;
}

const loaded = shape(closed({ url: Type.String(), status: nullable(Type.Integer()) }));
const located = shape(closed({ url: Type.String() }));
const tabs = shape(Type.Array(Tab));
const downloads = shape(Type.Array(Download));
const happenings = { dialogs: Type.Array(Dialog), downloads: Type.Array(Download) };
const happened = shape(closed(happenings));
const begun = shape(closed({ tab: Type.String() }));
const settledOnce = shape(
  closed({
    ...happenings,
    load_failed: Type.Boolean(),
    tab: Type.String(),
  }),
);
const headers = shape(Type.Record(Type.String(), Type.String()));
const anything = shape(Type.Unknown());

export function openPage(instance: Instance, uploads: Pick<Uploads, 'find'>): Page {
  return {
    uploads,
    load: (url, how, limits) => load(instance, url, how, limits),
    reached: async (state, limits) => {
      await instance.host.send('reached', { state }, limits.signal).catch((error: unknown) => {
        throw translate(error, limits, 'condition_not_met');
      });
    },
    url: async (limits) => (await ask(instance, 'page', null, located, limits)).url,
    ...liveOf(instance),
    headers: (names, limits) => ask(instance, 'headers', names, headers, limits),
    ...tabsOf(instance),
    act: (work, how, limits) => act(instance, work, how, limits),
    pdf: (limits) => written(instance, 'pdf', limits),
    screenshot: (limits, clip) => written(instance, 'screenshot', limits, clip),
    edit: async (command, limits) => {
      await ask(instance, 'edit', { command }, nothing, limits);
    },
    finger: async (steps, limits, options = {}) => {
      await ask(instance, 'finger', { steps, ...options }, nothing, limits);
    },
    keys: async (steps, limits) => {
      await ask(instance, 'keys', steps, nothing, limits);
    },
    run: async (script, input, expected, limits) => {
      const call = { script, input: { ...input, within: within(limits) } };
      return valueOf(script, await ask(instance, 'run', call, anything, limits), expected);
    },
    press: (located, how, limits) => press(instance, located, how, limits),
    settled: () => settled(instance),
  };
}

const tabsOf = (
  instance: Instance,
): Pick<Page, 'tabs' | 'activate' | 'closeTab' | 'downloads' | 'happened'> => ({
  tabs: (limits) => ask(instance, 'tabs', null, tabs, limits),
  activate: async (id, limits) => {
    await ask(instance, 'activate_tab', { id }, nothing, limits);
  },
  closeTab: async (id, limits) => {
    await ask(instance, 'close_tab', { id: id ?? null }, nothing, limits);
  },
  downloads: (limits) => ask(instance, 'downloads', null, downloads, limits),
  happened: (limits) => ask(instance, 'happened', null, happened, limits),
});

/** Bytes that a picture or a PDF may have: more would be too large for a result, as base64. */
const mostWritten = 24 * 1024 * 1024;

/** What the browser writes into a file of its directory. */
async function written(instance: Instance, kind: 'pdf' | 'screenshot', limits: OperationLimits, clip?: Clip) {
  const path = join(instance.directory, kind);
  try {
    await ask(instance, kind, { path, ...clip }, nothing, limits, 'capture_failed');
    return await readOwnFile(instance.directory, kind, mostWritten);
  } finally {
    await rm(path, { force: true });
  }
}

async function load(
  { host, proxy }: Instance,
  url: string,
  { waitUntil, credentials }: Loading,
  limits: OperationLimits,
): Promise<Loaded> {
  const known = credentials === undefined ? null : { ...credentials, origin: originWithPort(url) };
  try {
    const input = { url, wait_until: waitUntil, credentials: known, downloads_ms: forDownloads(limits) };
    const reply = await host.send('load', input, limits.signal);
    if (!loaded.is(reply)) throw unreadable('load');
    return reply;
  } catch (error) {
    throw explain(error, proxy, limits);
  }
}

/** An origin with its port, as the host compares it: the scheme's own one is said too. */
function originWithPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Milliseconds for which an action waits for the downloads it began, and half of the time it has at most. */
const downloadsMs = 5_000;
const forDownloads = ({ timeoutMs }: OperationLimits) => Math.min(downloadsMs, Math.floor(timeoutMs / 2));

async function act<T>(
  instance: Instance,
  work: () => Promise<T>,
  { dialogs = null }: { readonly dialogs: OperationInput<'interact'>['dialogs'] | null },
  limits: OperationLimits,
): Promise<Settled<T>> {
  const { host } = instance;
  // The host takes commands in their order: the work need not wait for this one's answer.
  const began = ask(instance, 'begin_action', { dialogs }, begun, limits);
  try {
    const [before, done] = await Promise.all([began, work()]);
    const input = { downloads_ms: forDownloads(limits) };
    const { load_failed, tab, ...rest } = await ask(instance, 'settle', input, settledOnce, limits);
    return { done, ...rest, loadFailed: load_failed, tab: tab === before.tab ? undefined : tab };
  } catch (error) {
    // A host that is gone has nothing to end.
    await host.send('end_action').catch(() => undefined);
    throw error;
  }
}

/** One look at the page and one at its cookies, which another process keeps. A failure is an answer too. */
async function settled({ host }: Instance): Promise<void> {
  const answer = (command: string, input: unknown) =>
    host.send(command, input).catch((error: unknown) => {
      if (!(error instanceof HostError)) throw driverFailure('The browser is gone.', { cause: error });
    });
  await host.idle();
  await Promise.all([answer('run', { script: 'viewport', input: null }), answer('cookies', null)]);
}
