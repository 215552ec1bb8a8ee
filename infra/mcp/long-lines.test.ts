import { expect } from 'chai';
import type { PageObservation } from '../../contracts/client/index.ts';
import { showPage } from './page.ts';
import { connected } from './testing/connection.ts';
import { pageWith } from './testing/pages.ts';

const session = 'ses_0197f1a0-0000-7000-8000-000000000001';
const agent = 'agt_0197f1a0-0000-7000-8000-000000000002';
const paragraph = (n: number) => Array.from({ length: 150 }, (_, word) => `word${n}-${word}`).join(' ');

/** A fake of agent sessions with one that has been given an errand, and that has a file. */
function agentsWith(given: { readonly answer?: object; readonly file?: string }) {
  const found = {
    ...{ id: agent, status: 'active', mode: 'ai', transcript_length: 2, service_session_id: session },
    download: async ({ name }: { readonly name: string }) => ({
      status: 'ok',
      file: { name, mime: 'application/json', dataB64: Buffer.from(given.file ?? '').toString('base64') },
    }),
  };
  return {
    create: async () => found,
    get: async () => found,
    async *transcript() {
      yield { index: 0, entry: { role: 'user', body: 'List them.' } };
      yield { index: 1, entry: { role: 'agent', body: 'Done.', ...given.answer } };
    },
  };
}

describe('a long line', () => {
  it('of a page is in its text as a whole, over several looks if it has to be', () => {
    const text = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(paragraph).join('\n');
    const page: PageObservation = pageWith({ text });
    const said: string[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const { lines, more } = showPage(page, { text: from });
      said.push(...lines.slice(lines.indexOf('text:') + 1));
      from = more.flatMap((line) => /text: (\d+)/.exec(line)?.slice(1).map(Number) ?? []).at(0);
    }
    expect(said.join('\n')).to.equal(text);
  });

  it('of a file is in its parts as a whole', async () => {
    const file = JSON.stringify(Array.from({ length: 4000 }, (_, n) => n));
    const { call, close } = await connected({ agents: agentsWith({ file }) });
    let said = '';
    for (let from: number | undefined = 0; from !== undefined;) {
      const { text, structured } = await call('files', { session, name: 'numbers.json', from });
      said += text.split('\n').at(2) ?? '';
      from = structured.next as number | undefined;
    }
    await close();
    expect(said).to.equal(file);
  });

  it("of an agent's result is in the transcript to which its answer points", async () => {
    const result = Array.from({ length: 500 }, (_, n) => ({ name: `Item ${n}` }));
    const { call, client, close } = await connected({ agents: agentsWith({ answer: { result } }) });
    const { text } = await call('agent_result', { turn: `${agent}.0` });
    const [uri = ''] = /service:\/\/transcripts\/[\w-]+/.exec(text) ?? [];
    const { contents } = await client.readResource({ uri });
    await close();
    const said = contents.map((each) => ('text' in each ? each.text : '')).join();
    expect(said).to.include(JSON.stringify(result));
  });

  it('of a long transcript begins near its end, which is read from there', async () => {
    const asked: unknown[] = [];
    const agents = {
      get: async () => ({ id: agent, status: 'active', transcript_length: 10_000 }),
      async *transcript(_id: string, { after = -1 }: { readonly after?: number }) {
        asked.push(after);
        for (let index = after + 1; index < 10_000; index += 1)
          yield { index, entry: { role: 'user', body: `${index}: ${paragraph(index)}` } };
      },
    };
    const { client, close } = await connected({ agents });
    const { contents } = await client.readResource({ uri: `service://transcripts/${agent}` });
    await close();
    const said = contents.map((each) => ('text' in each ? each.text : '')).join();
    expect(asked).to.deep.equal([9_499]);
    expect(said)
      .to.include(`user: 9999: ${paragraph(9_999)}`)
      .and.not.to.include('user: 9500: ');
    expect(said.length).to.be.within(60_000, 61_000);
  });

  it("of an agent's result has no invisible characters in its text", async () => {
    const result = { said: 'pay\u202e\u200b me\u{e0041}\u{e0042}' };
    const { call, close } = await connected({ agents: agentsWith({ answer: { result } }) });
    const { text } = await call('agent_result', { turn: `${agent}.0` });
    await close();
    expect(text).to.include('result: {"said":"pay me"}');
  });
});
