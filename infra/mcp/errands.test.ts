import { expect } from 'chai';
import { Conflict } from '../../contracts/client/index.ts';
import { connected } from './testing/connection.ts';

const session = 'ses_0197f1a0-0000-7000-8000-000000000001';
const id = 'agt_0197f1a0-0000-7000-8000-000000000002';
const entry = (index: number) => ({ role: index % 2 === 0 ? 'user' : 'agent', body: `Entry ${index}.` });

interface Given {
  readonly mode?: string;
  readonly status?: string;
  /** Entries before the errand. */
  readonly entries?: number;
  /** Entries when the agent session is read. */
  readonly read?: number;
  readonly isStale?: boolean;
  readonly refusal?: Error;
}

/** A browser whose agent session takes an errand. */
async function browserFor({
  mode = 'ai',
  status = 'active',
  entries = 0,
  read = entries,
  isStale = false,
  refusal,
}: Given = {}) {
  const transcript = Array.from({ length: entries }, (_, index) => ({ index, entry: entry(index) }));
  const modes: string[] = [];
  const agent = {
    ...{ id, mode, status, service_session_id: session, transcript_length: read },
    setMode: async (next: string) => {
      modes.push(next);
      return { ...agent, mode: next, transcript_length: entries };
    },
    send: async () => {
      if (refusal !== undefined) throw refusal;
      for (const index of [entries, entries + 1]) transcript.push({ index, entry: entry(index) });
      return { kind: 'refuse', session: { ...agent, transcript_length: transcript.length } };
    },
  };
  const headers = new Headers(isStale ? { 'x-service-stale': 'true' } : {});
  const agents = {
    create: async () => agent,
    get: () =>
      Object.assign(Promise.resolve(agent), {
        withResponse: async () => ({ data: agent, response: { headers } }),
      }),
    async *transcript(_id: string, { after = -1 }: { readonly after?: number }) {
      yield* transcript.filter(({ index }) => index > after);
    },
  };
  const { call, close } = await connected({ agents });
  return { modes, call, close, ask: () => call('ask_agent', { task: 'Go on.', session }) };
}

describe('an errand for the agent of the service', () => {
  it('is given in the mode that the browser has, and instead of manual in pair', async () => {
    for (const [mode, changes] of [
      ['ai', []],
      ['pair', []],
      ['manual', ['pair']],
    ] as const) {
      const { ask, modes, close } = await browserFor({ mode });
      const { text, structured } = await ask();
      expect(structured, text).to.include({ status: 'done', answer: 'Entry 1.' });
      expect(modes, mode).to.deep.equal(changes);
      await close();
    }
  });

  it('takes the controls from no person, and is told to wait for them', async () => {
    const problem = { ai_control_unavailable: true };
    const facts = {
      status: 409,
      type: 'https://x/conflict',
      title: '',
      detail: 'A person has the controls.',
    };
    const refusal = new Conflict({ ...facts, requestId: '', problem });
    const { ask, modes, close } = await browserFor({ mode: 'pair', refusal });
    const { text, isError } = await ask();
    expect([isError, text.includes('wait until they give them back')], text).to.deep.equal([true, true]);
    expect(modes).to.deep.equal([]);
    await close();
  });

  it('is answered by its own answer, also if another message came between', async () => {
    const { ask, call, close } = await browserFor({ entries: 4, read: 2 });
    const { structured } = await ask();
    expect(structured).to.include({ answer: 'Entry 5.', turn: `${id}.4` });
    expect((await call('agent_result', { turn: `${id}.4` })).structured).to.deep.equal(structured);
    await close();
  });

  it('is not given while reads are behind, as its turn would be that of an earlier one', async () => {
    const { ask, close } = await browserFor({ entries: 4, read: 2, isStale: true });
    const { text, isError } = await ask();
    expect([isError, text.includes('Try again in a moment')], text).to.deep.equal([true, true]);
    await close();
  });

  it('has no result once its agent session is closed without an answer', async () => {
    const { call, close } = await browserFor({ status: 'closed', entries: 2 });
    const { text, isError } = await call('agent_result', { turn: `${id}.2` });
    expect([isError, text.includes('was not taken')], text).to.deep.equal([true, true]);
    await close();
  });
});
