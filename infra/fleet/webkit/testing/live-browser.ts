import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { LiveInput, LiveOperation } from '../../../../contracts/fleet/operations.ts';
import { toId, type SessionId } from '../../../../contracts/ids.ts';
import { startNodeOf } from '../../testing.ts';
import { startDriver } from './browser.ts';
import { startCaseSite, type CaseSite } from './cases/site-case.ts';
import { pages } from './live-pages.ts';

type TestNode = Awaited<ReturnType<typeof startNodeOf>>;

/** What there is once the hooks have run. */
interface Begun {
  site: CaseSite;
  on: TestNode;
  /** Of the test that runs. */
  session: SessionId;
}

const account = toId('account', randomUUID());

/** A node with real browsers and a site of pages, for the tests of a `describe`; each test has a session of its own. */
export function liveBrowser() {
  // Hooks fill it before anything of it is asked for.
  const begun = {} as Begun;
  before(async () => {
    begun.site = await startCaseSite();
    begun.site.serve(pages);
    begun.on = await startNodeOf(await startDriver());
  });
  after(async () => {
    await begun.on.stop();
    await begun.site.close();
  });
  beforeEach(async () => {
    begun.session = await begun.on.create();
  });
  afterEach(() => begun.on.sessions.destroy(begun.session));
  return Object.assign(begun, askingOf(begun));
}

function askingOf(live: Begun) {
  const call = (timeoutMs = 5_000) => ({ node: live.on.node, session: live.session, timeoutMs });
  const ask = <O extends LiveOperation>(operation: O, input: LiveInput<O>, timeoutMs?: number) =>
    live.on.fleet.live(call(timeoutMs), operation, input);
  return {
    /** Another session in place of the one that the test has. */
    renew: async (start?: Parameters<TestNode['create']>[0]) => {
      await live.on.sessions.destroy(live.session);
      live.session = await live.on.create(start);
    },
    call,
    ask,
    /** The result of what is asked beside operations. */
    got: async <O extends LiveOperation>(operation: O, input: LiveInput<O>) => {
      const answer = await ask(operation, input);
      if (answer.status !== 'ok') throw new Error(answer.reason);
      return answer.result;
    },
    go: (path: string, timeoutMs?: number) =>
      live.on.operate(live.session, 'navigate', { url: `${live.site.origin}${path}` }, timeoutMs),
    tap: (selector: string, timeoutMs?: number) =>
      live.on.operate(live.session, 'interact', { action: { kind: 'tap', selector } }, timeoutMs),
    read: async (selector: string) => {
      const schema = { type: 'string', 'x-selector': selector };
      return (await live.on.operate(live.session, 'extract', { schema })).data;
    },
    put: (name: string, content: Uint8Array, mime = 'text/plain') => {
      const file = { ...call(20_000), account, name, mime, size: content.length };
      return live.on.fleet.putFile(file, Readable.from([content]));
    },
  };
}
