import type { List } from '../../../contracts/client/index.ts';
import { ToolError, describeFailure } from '../advice.ts';
import { idleSeconds } from '../limits.ts';
import { look } from '../looking.ts';
import { ageSeconds, openBrowsers, searched } from '../open-list.ts';
import { defineTool, hints, pageShape, schemas, type ToolContext } from '../tool.ts';
import { beginning, firstThatFit, tokensOf } from '../tokens.ts';
import { oneLine } from '../words.ts';

const { described, boolean, string, session, objects } = schemas;

/** Tokens of a name, a description or a label in a list, which may be in any script. */
const wordsOfOne = 20;
/** Tokens of a list of browsers, in its text and in its structured content together. */
const listTokens = 5_000;

interface Opening {
  readonly profile?: string;
  readonly proxy?: string;
  readonly archetype?: string;
  readonly url?: string;
  readonly keep?: boolean;
  readonly key?: string;
}

export const openBrowser = defineTool<Opening>({
  name: 'open_browser',
  title: 'Open a browser',
  description:
    'Opens a mobile Safari browser, optionally with a page. It ends with this connection, or 10 minutes after its last use.',
  hints: hints.adds,
  takes: {
    url: described('Page to open'),
    profile: described('Id or name of a profile: the browser starts with its sign-ins, and saves back to it'),
    proxy: described('Id or label of a saved proxy'),
    archetype: described('Device to emulate'),
    keep: described('Stays open after this connection; ends an hour after its last use', boolean),
    key: described('Idempotency key: the same key returns the same browser', {
      type: 'string',
      pattern: '^[!-~]{1,255}$',
    }),
  },
  gives: pageShape,
  run: async (context, { url, keep = false, key, ...asked }) => {
    const { service, opened, signal } = context;
    const body = await bodyOf(context, asked, keep);
    // Not cancelled: a browser that is being opened would be orphaned.
    const open = service.sessions.create(body, key === undefined ? {} : { idempotencyKey: key });
    const end = keep ? null : (made: string) => service.sessions.destroy(made);
    const { id } = await (opened === undefined ? open : opened.opening(open, end));
    const first = `Opened ${id}.`;
    try {
      signal.throwIfAborted();
      if (url !== undefined) await service.sessions.navigate(id, { url }, { signal });
      const page = await look(context, id);
      return { ...page, lines: [first, ...page.lines] };
    } catch (error) {
      if (signal.aborted) {
        // Without a key the caller cannot learn of it any more.
        if (key === undefined) {
          await service.sessions.destroy(id);
          opened?.closed(id);
        }
        throw error;
      }
      const failed = [first, 'The page could not be opened:'];
      return { lines: failed, words: [describeFailure(error)], structured: { session: id }, isError: true };
    }
  },
});

async function bodyOf(context: ToolContext, { profile, proxy, archetype }: Opening, keep: boolean) {
  return {
    label: 'mcp',
    idle_timeout_seconds: keep ? idleSeconds.kept : idleSeconds.usual,
    ...(profile !== undefined && { profile_id: await profileId(context, profile) }),
    ...(proxy !== undefined && { proxy_id: await proxyId(context, proxy) }),
    ...(archetype !== undefined && { archetype }),
  };
}

export const closeBrowser = defineTool<{ readonly session: string }>({
  name: 'close_browser',
  title: 'Close a browser',
  description: 'Closes a browser. Its profile, if it has one, is saved.',
  hints: hints.ends,
  takes: { 'session!': session },
  gives: { session: string },
  run: async ({ service, opened, signal }, { session: id }) => {
    await service.sessions.destroy(id, { signal });
    opened?.closed(id);
    return { lines: [`${id} is closed.`], structured: { session: id } };
  },
});

export const listBrowsers = defineTool({
  name: 'list_browsers',
  title: 'List open browsers',
  description: 'The open ones among the newest 100 browsers of the account, with their age in seconds.',
  hints: hints.own,
  takes: {},
  gives: { browsers: objects },
  run: async ({ service, signal }) => {
    const { open, isWhole } = await openBrowsers(service, signal);
    const browsers = open.map(({ id, status, label, profile_id: profile, ...since }) => ({
      ...{ session: id, status, age_seconds: ageSeconds(since) },
      label: beginning(oneLine(label, 60), wordsOfOne),
      ...(profile !== null && { profile }),
    }));
    const shown = firstThatFit(browsers, listTokens, (each) => 2 * tokensOf(JSON.stringify(each)));
    const left = browsers.length - shown.length;
    return {
      lines: [
        isWhole ? `${browsers.length} open.` : `${browsers.length} of the newest ${searched} are open.`,
        ...shown.map((each) => `${each.session} ${each.status}, ${each.age_seconds} s ${each.label}`),
      ],
      more: left === 0 ? [] : [`${left} older ones are left out: close_browser makes room.`],
      structured: { browsers: shown },
    };
  },
});

export const listProfiles = defineTool({
  name: 'list_profiles',
  title: 'List profiles',
  description: 'Profiles that browsers can be opened with, newest first.',
  hints: hints.own,
  takes: { cursor: described('next_cursor of the previous answer') },
  gives: { profiles: objects, next_cursor: string },
  run: async ({ service, signal }, { cursor }: { readonly cursor?: string }) => {
    const list = service.profiles.list({ limit: 50, ...(cursor !== undefined && { cursor }), signal });
    const { data, nextCursor } = await firstPage(list);
    const profiles = data.map(({ id, name, description }) => ({
      ...{ id, name: beginning(oneLine(name, 80), wordsOfOne) },
      ...(description && { description: beginning(oneLine(description, 80), wordsOfOne) }),
    }));
    return {
      lines: [`${profiles.length} profiles.`, ...profiles.map(({ id, name }) => `${id} ${name}`)],
      more: nextCursor === null ? [] : [`There are more: list_profiles with cursor: ${nextCursor}`],
      structured: { profiles, ...(nextCursor !== null && { next_cursor: nextCursor }) },
    };
  },
});

async function firstPage<T>(list: List<T>) {
  for await (const page of list.byPage()) return page;
  return { data: [], nextCursor: null };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function profileId({ service, signal }: ToolContext, given: string): Promise<string> {
  if (given.startsWith('prof_') || uuid.test(given)) return given;
  for await (const { id, name } of service.profiles.list({ limit: 100, signal }))
    if (name === given) return id;
  throw new ToolError('There is no profile of that name.', 'list_profiles shows them.');
}

async function proxyId({ service, signal }: ToolContext, given: string): Promise<string> {
  if (uuid.test(given)) return given;
  for await (const { id, label } of service.proxies.list({ limit: 100, signal }))
    if (label === given) return id;
  throw new ToolError(
    'There is no saved proxy of that label.',
    'Open without one, or name one that is saved.',
  );
}
