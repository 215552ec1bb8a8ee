import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, closed, nullable } from '../../../contracts/schema.ts';
import type { OperationInput } from '../../../contracts/fleet/operations.ts';
import { Dialog, Download, Tab } from '../../../contracts/resources/session-tabs.ts';
import { Cookie } from '../../../contracts/resources/session.ts';
import { driverFailure, type OperationLimits, type Uploaded } from '../node/driver.ts';
import { shape } from '../shape.ts';
import { ask, nothing, unreadable, valueOf, within } from './ask.ts';
import { HostError } from './host-channel.ts';
import type { Instance } from './instance.ts';
import { readOwnFile } from './own-files.ts';
import { explain, translate } from './page-failures.ts';
import { liveOf } from './page-live.ts';
import { press } from './page-press.ts';
import type { Box, CapturedState, Clip, Loaded, Loading, LoadState, Page, Settled } from './page.ts';

const loaded = shape(closed({ url: Type.String(), status: nullable(Type.Integer()) }));
const located = shape(closed({ url: Type.String() }));
const yesOrNo = shape(Type.Boolean());
const downloads = shape(Type.Array(Download));
const happenings = { dialogs: Type.Array(Dialog), downloads: Type.Array(Download) };
const happened = shape(closed(happenings));
const begun = shape(closed({ tab: Type.String() }));
const settledOnce = shape(
  closed({
    ...happenings,
    load_failed: Type.Boolean(),
    is_awaited: Type.Boolean(),
    tab: Type.String(),
  }),
);
const headers = shape(Type.Record(Type.String(), Type.String()));
const anything = shape(Type.Unknown());
const capturedState = shape(
  closed({
    url: Type.String(),
    cookies: Type.Array(Cookie),
    tabs: Type.Array(Tab),
    downloads: Type.Array(Download),
    page: Type.Unknown(),
  }),
);
const storedState = shape(
  closed({ title: Type.String(), local_storage: Type.Record(Type.String(), Type.String()) }),
);

export function openPage(instance: Instance, uploads: Uploaded): Page {
  return {
    uploads,
    load: (url, how, limits) => load(instance, url, how, limits),
    reached: (state, limits) => reached(instance, state, limits),
    url: async (limits) => (await ask(instance, 'page', null, located, limits)).url,
    ...liveOf(instance),
    headers: (names, limits) => ask(instance, 'headers', names, headers, limits),
    ...tabsOf(instance),
    act: (work, how, limits) => act(instance, work, how, limits),
    pdf: (limits) => written(instance, 'pdf', limits),
    screenshot: (limits, clip) => written(instance, 'screenshot', limits, clip),
    picture: (covers, limits) => written(instance, 'picture', limits, { covers }),
    edit: async (command, limits) => {
      await ask(instance, 'edit', { command }, nothing, limits);
    },
    finger: async (steps, limits, options = {}) => {
      await ask(
        instance,
        'finger',
        { steps, ...options, announce_ms: instance.announce.ms },
        nothing,
        limits,
      );
    },
    keys: async (steps, limits) => {
      await ask(instance, 'keys', steps, nothing, limits);
    },
    run: async (script, input, expected, limits) => {
      const call = { script, input: { ...input, within: within(limits) } };
      return valueOf(script, await ask(instance, 'run', call, anything, limits), expected);
    },
    captureState: (limits) => captureState(instance, limits),
    press: (located, how, limits) => press(instance, located, how, limits),
    settled: () => settled(instance),
  };
}

const tabsOf = (
  instance: Instance,
): Pick<Page, 'isBusy' | 'activate' | 'closeTab' | 'downloads' | 'happened'> => ({
  isBusy: (limits) => ask(instance, 'busy', null, yesOrNo, limits),
  activate: async (id, limits) => {
    await ask(instance, 'activate_tab', { id }, nothing, limits);
  },
  closeTab: async (id, limits) => {
    await ask(instance, 'close_tab', { id: id ?? null }, nothing, limits);
  },
  downloads: (limits) => ask(instance, 'downloads', null, downloads, limits),
  happened: (limits) => ask(instance, 'happened', null, happened, limits),
});

async function reached({ host }: Instance, state: LoadState, limits: OperationLimits): Promise<void> {
  await host.send('reached', { state }, limits.signal).catch((error: unknown) => {
    throw translate(error, limits, 'condition_not_met');
  });
}

async function captureState(instance: Instance, limits: OperationLimits): Promise<CapturedState> {
  const input = { within: within(limits) };
  const { page, ...captured } = await ask(instance, 'capture_state', input, capturedState, limits);
  return { ...captured, page: valueOf('state', page, storedState) };
}

/** Maximal size of a picture or PDF in bytes: more would be too large for a result in base64. */
const mostWritten = 24 * 1024 * 1024;

/** The file that the browser writes into its directory. Calls may overlap, so each has a file of its own. */
async function written(
  instance: Instance,
  kind: 'pdf' | 'screenshot' | 'picture',
  limits: OperationLimits,
  how?: Clip | { readonly covers: readonly Box[] },
) {
  const { directory, host } = instance;
  const name = `${kind}-${randomUUID()}`;
  const path = join(directory, name);
  const remove = () => rm(path, { force: true });
  try {
    await ask(instance, kind, { path, ...how }, nothing, limits, 'capture_failed');
    return await readOwnFile(directory, name, mostWritten);
  } catch (error) {
    // A browser that was given up on may still write it.
    void host
      .idle()
      .then(remove)
      .catch(() => undefined);
    throw error;
  } finally {
    await remove();
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

/** An origin with an explicit port, even the scheme's default one, as the host compares it. */
function originWithPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Milliseconds for which an action waits for the downloads it began; at most half of its remaining time. */
const downloadsMs = 5_000;
const forDownloads = ({ timeoutMs }: OperationLimits) => Math.min(downloadsMs, Math.floor(timeoutMs / 2));

/** Milliseconds for which an action waits for the page that it led to; at most half of its remaining time. */
const pageMs = 10_000;
const forPage = ({ endsAt }: OperationLimits) =>
  Math.min(pageMs, Math.max(0, Math.floor((endsAt - performance.now()) / 2)));

async function act<T>(
  instance: Instance,
  work: () => Promise<T>,
  { dialogs = null }: { readonly dialogs: OperationInput<'interact'>['dialogs'] | null },
  limits: OperationLimits,
): Promise<Settled<T>> {
  const { host } = instance;
  // Not awaited: the host runs commands in their order.
  const began = ask(instance, 'begin_action', { dialogs }, begun, limits);
  try {
    const [before, done] = await Promise.all([began, work()]);
    const input = { page_ms: forPage(limits), downloads_ms: forDownloads(limits) };
    const { load_failed, is_awaited, tab, ...rest } = await ask(
      instance,
      'settle',
      input,
      settledOnce,
      limits,
    );
    return {
      ...{ done, ...rest, loadFailed: load_failed, isAwaited: is_awaited },
      tab: tab === before.tab ? undefined : tab,
    };
  } catch (error) {
    // If the host is gone, there is nothing to end.
    await host.send('end_action').catch(() => undefined);
    throw error;
  }
}

/** Probes the web process, and by its cookies the network process. Any answer suffices, even a failure. */
async function settled({ host }: Instance): Promise<void> {
  const answer = (command: string, input: unknown) =>
    host.send(command, input).catch((error: unknown) => {
      if (!(error instanceof HostError)) throw driverFailure('The browser is gone.', { cause: error });
    });
  await host.idle();
  await Promise.all([answer('run', { script: 'viewport', input: null }), answer('cookies', null)]);
}
