import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { OperationInput } from '../../../../../contracts/fleet/operations.ts';
import type { Action, Condition } from '../../../../../contracts/resources/session.ts';
import { until } from '../../../../verification/testbed/index.ts';
import { limitsOf, type Browser } from '../../../node/driver.ts';
import { ask, failure, run } from '../browser.ts';

/** The body of a page, or the handler of its path. */
export type Served = string | ((request: IncomingMessage, reply: ServerResponse) => void);

/** One behaviour of the driver on real pages. The result of `does` must equal `gives`. */
export interface Case {
  readonly says: string;
  /** Pages by path; the case begins on `/`. */
  readonly pages: Readonly<Record<string, Served>>;
  readonly does: (on: Hands) => Promise<unknown>;
  readonly gives: unknown;
}

/** What a case uses to drive its pages. */
export type Hands = ReturnType<typeof createHands>;

export function createHands(browser: Browser, site: CaseSite) {
  const act = (action: Action, more: Omit<OperationInput<'interact'>, 'action'> = {}, timeoutMs?: number) =>
    run(browser, 'interact', { action, ...more }, timeoutMs);
  const read = async (selector: string) => {
    const schema = { type: 'string', 'x-selector': selector };
    return (await run(browser, 'extract', { schema })).data;
  };
  const state = () => run(browser, 'state_capture', null);
  return {
    ...site,
    act,
    read,
    state,
    ...eyesOf(browser),
    ...othersOf(browser),
    go: (path: string, more: Omit<OperationInput<'navigate'>, 'url'> = {}, timeoutMs?: number) =>
      run(browser, 'navigate', { url: new URL(path, site.origin).href, ...more }, timeoutMs),
    tap: (selector: string, more: Omit<OperationInput<'interact'>, 'action'> = {}, timeoutMs?: number) =>
      act({ kind: 'tap', selector }, more, timeoutMs),
    title: async () => (await state()).title,
    /** Resolves once the page in front no longer answers. */
    stalled: () => until(async () => (await ask(browser, 'page_state', null)).state === 'stalled'),
    tabs: async () => (await state()).tabs ?? [],
    /** State of a download once it has ended. */
    kept: (name: string) =>
      until(async () => {
        const kept = (await state()).downloads?.find((file) => file.name === name)?.state;
        return kept !== 'in_progress' && kept;
      }),
    /** The title once it has changed from this one. */
    titleAfter: (title: string) =>
      until(async () => {
        const { title: present } = await state();
        return present !== title && present;
      }),
    /** The failure that the promise rejects with. */
    failure: async (work: Promise<unknown>) => {
      const { kind, category, reason } = await failure(work);
      return `${kind} ${category}: ${reason}`;
    },
  };
}

/** Operations that are neither navigations nor actions. */
const othersOf = (browser: Browser) => ({
  login: (input: OperationInput<'login'>) => run(browser, 'login', input),
  /** Content of a file that was downloaded. */
  content: async (name: string) => {
    const { content } = await browser.download(name, limitsOf(10_000));
    return text(content);
  },
  wait: (condition: Condition, timeoutMs?: number) => run(browser, 'wait', { condition }, timeoutMs),
  capture: (kind: OperationInput<'capture'>['kind'], more: Omit<OperationInput<'capture'>, 'kind'> = {}) =>
    run(browser, 'capture', { kind, ...more }),
});

/** How a case observes a page like an agent. */
const eyesOf = (browser: Browser) => {
  const observe = () => ask(browser, 'observe', null, 10_000);
  return {
    observe,
    /** The ref of the observed element with this name. */
    refOf: async (name: string) => {
      const found = (await observe()).elements.find((element) => element.name === name);
      if (!found) throw new Error(`Nothing is observed by the name ${name}.`);
      return found.ref;
    },
  };
};

export interface CaseSite {
  /** Address of `/`. */
  readonly origin: string;
  /** The same pages on another host. */
  readonly elsewhere: string;
  serve(pages: Case['pages']): void;
  close(): Promise<void>;
}

export async function startCaseSite(): Promise<CaseSite> {
  let pages: Case['pages'] = {};
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const page = pages[pathname];
    if (typeof page === 'function') return page(request, reply);
    reply.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    reply.end(`<!doctype html><meta name="viewport" content="width=device-width">${page ?? ''}`);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    elsewhere: `http://127.0.0.2:${port}`,
    serve: (given) => {
      pages = given;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Puts a case into its initial state, with one tab. */
export async function begin(hands: Hands, { pages }: Case): Promise<void> {
  hands.serve(pages);
  const { length } = await hands.tabs();
  for (let open = length; open > 1; open -= 1) await hands.act({ kind: 'close_tab' });
  await hands.go('/');
}

export async function hold(hands: Hands, each: Case): Promise<void> {
  expect(await each.does(hands)).to.deep.equal(each.gives);
}
