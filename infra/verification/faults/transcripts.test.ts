import { expect } from 'chai';
import type { AgentSessionId } from '../../../contracts/ids.ts';
import { openStream, type OpenStream } from '../../../read-api/transcript/testing.ts';
import { until } from '../testbed/index.ts';
import { agentsOf, type AgentClient } from './agent-client.ts';
import { newClient, type Client } from './client.ts';
import { world, type World } from './world.ts';

/** Maximal size of one entry: four bytes for each character. */
const long = '🚲'.repeat(20_000);

describe('Streams of transcripts', () => {
  let here: World;
  let client: Client;
  let agents: AgentClient;
  before(async () => {
    here = await world();
    client = await newClient(here.stack, 'enterprise');
    agents = agentsOf(client, here);
  });
  afterEach(async () => {
    await here.stack.heal();
    await here.stack.ready();
  });

  /** @param url of the gateway, or of read-api itself */
  const listen = (url: string, id: AgentSessionId, headers = {}): Promise<OpenStream> =>
    openStream(Number(new URL(url).port), `/v1/agent-sessions/${id}/transcript`, {
      token: client.account.api_key,
      headers,
    });
  const note = async (id: AgentSessionId, message: string): Promise<void> => {
    const { status, text } = await agents.say(id, message);
    expect(status, text).to.equal(200);
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

  it('are cut for a client that does not read, and continue for all others', async () => {
    const id = await agents.open({ mode: 'manual' });
    const [idle, reading] = [await listen(here.stack.readUrl, id), await listen(here.stack.readUrl, id)];
    idle.pause();
    // More than the network's buffers hold, plus the mebibyte that a listener may be behind.
    const entries = 100;
    for (let index = 0; index < entries; index += 1) await note(id, long);
    await reading.received(entries);
    idle.resume();
    expect(await idle.over()).to.equal('cut');
    expect(idle.entries.length).to.be.below(entries);
    expect([reading.outcome(), reading.ids]).to.deep.equal(['open', upTo(entries)]);
  });

  it('continue by Last-Event-ID when read-api is killed, without a gap or a duplicate', async () => {
    const id = await agents.open({ mode: 'manual' });
    for (const message of ['zero', 'one', 'two']) await note(id, message);
    const first = await listen(here.stack.baseUrl, id);
    await first.received(3);
    await here.stack.kill('read-api');
    await first.over();
    for (const message of ['three', 'four']) await note(id, message);
    const last = first.ids.at(-1) ?? '';
    const second = await until(async () => {
      const stream = await listen(here.stack.baseUrl, id, { 'Last-Event-ID': last });
      return stream.status === 200 && stream;
    });
    await note(id, 'five');
    await second.received(3);
    expect([...first.ids, ...second.ids]).to.deep.equal(upTo(6));
  });
});
