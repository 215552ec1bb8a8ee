import { expect } from 'chai';
import { DriverError, SessionDestroyed } from '../../contracts/client/index.ts';
import { until } from '../verification/testbed/index.ts';
import { connected } from './testing/connection.ts';
import { pageWith } from './testing/pages.ts';

const session = 'ses_0197f1a0-0000-7000-8000-000000000001';
const agentId = 'agt_0197f1a0-0000-7000-8000-000000000002';
const facts = { status: 500, title: '', detail: '', requestId: '' };
const signIn = { session, why: 'Sign in to the shop.' };
const enterCode = { session, why: 'Enter the code that was sent to you.' };

interface Link {
  readonly id: string;
  readonly right: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** A browser with its agent session and links; `idle`: its idle timeout in seconds. Each change takes a second. */
async function browserToHandOver({ idle }: { readonly idle?: number } = {}) {
  let now = Date.parse('2026-01-05T12:00:00Z');
  const time = (seconds = 0) => new Date(now + seconds * 1000).toISOString();
  const links = new Map<string, Link>();
  const past: { readonly action: string; readonly at: string }[] = [];
  const counts = { links: 0, observations: 0, looks: 0 };
  let agent: object | undefined;
  let failure: Error | undefined;
  const agents = {
    create: async (body: object) => (agent ??= { id: agentId, status: 'active', ...body }),
    get: async () => ({ ...agent, pair_mode_state: { kind: 'ai-driving' } }),
    mode: async (_id: string, { mode }: { readonly mode: string }) => (agent = { ...agent, mode }),
    past: () => ({
      async *byPage() {
        counts.looks += 1;
        yield { data: past.toReversed() };
      },
    }),
  };
  const agentSessionLinks = {
    list: async () => ({ data: [...links.values()].toReversed() }),
    create: async (_id: string, { right, ttl_seconds: lifetime }: { right: string; ttl_seconds: number }) => {
      now += 1000;
      counts.links += 1;
      const link = { id: `lnk_${counts.links}`, right, created_at: time(), expires_at: time(lifetime) };
      links.set(link.id, link);
      return { ...link, token: link.id };
    },
    revoke: async (_id: string, link: string) => void links.delete(link),
  };
  const sessions = {
    get: async () => ({ id: session, ...(idle !== undefined && { idle_timeout_seconds: idle }) }),
    observe: async () => {
      counts.observations += 1;
      if (failure !== undefined) throw failure;
      return pageWith();
    },
  };
  const { call, close } = await connected({ agents, agentSessionLinks, sessions });
  return {
    ...{ counts, close, agent: () => agent },
    hand: (args: typeof signIn) => call('hand_over', args),
    givesBack: () => {
      now += 1000;
      past.push({ action: 'agent_session.pair_mode.handback', at: time() });
    },
    failsWith: (error: Error) => (failure = error),
  };
}

describe('handing over to a person', () => {
  it('asks anew for another reason, and finds for each what was given back since', async () => {
    const { hand, givesBack, counts, close } = await browserToHandOver();
    const first = await hand(signIn);
    expect(first.structured.status).to.equal('link');
    expect(first.structured.link).to.match(/\/live#token=lnk_1$/);
    givesBack();
    const second = await hand(enterCode);
    expect(second.structured.status, second.text).to.equal('link');
    expect(second.structured.link).not.to.equal(first.structured.link);
    expect((await hand(signIn)).structured.status).to.equal('given_back');
    const { looks } = counts;
    const waiting = hand(enterCode);
    // It looks again because what was given back before is not an answer.
    await until(() => counts.looks >= looks + 2);
    givesBack();
    expect((await waiting).structured.status).to.equal('given_back');
    expect((await hand(enterCode)).structured.status).to.equal('link');
    await close();
  });

  it('keeps the browser open while it waits, whether or not the page answers', async () => {
    for (const error of [undefined, new DriverError({ ...facts, type: 'https://x/driver-error' })]) {
      const { hand, givesBack, failsWith, counts, close } = await browserToHandOver();
      if (error !== undefined) failsWith(error);
      await hand(signIn);
      givesBack();
      expect((await hand(signIn)).structured.status).to.equal('given_back');
      expect(counts.observations).to.equal(1);
      await close();
    }
  });

  it('does not wait for a browser that has ended', async () => {
    const { hand, failsWith, close } = await browserToHandOver();
    await hand(signIn);
    failsWith(new SessionDestroyed({ ...facts, type: 'https://x/session-destroyed' }));
    const { isError, text } = await hand(signIn);
    expect([isError, text.includes('open another with open_browser')], text).to.deep.equal([true, true]);
    await close();
  });

  it('says how long the link works, and has an agent session that lasts as long', async () => {
    const cases = [
      [600, 'for 10 min, and for up to an hour while you wait with hand_over: '],
      [30, 'for 30 s, and for up to an hour while you wait with hand_over: '],
      [3600, 'for an hour: '],
      [undefined, 'for an hour: '],
    ] as const;
    for (const [idle, works] of cases) {
      const { hand, agent, close } = await browserToHandOver(idle === undefined ? {} : { idle });
      const { text } = await hand(signIn);
      expect(text).to.include(`The link is good for one person, ${works}https://`);
      expect(agent()).to.include({ idle_timeout_seconds: 3600 });
      await close();
    }
  });
});
