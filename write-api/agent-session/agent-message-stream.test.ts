import { request } from 'node:http';
import { expect } from 'chai';
import { createParser } from 'eventsource-parser';
import { listen } from '../../infra/http/index.ts';
import { composeWriteApi } from '../../infra/main/composition/write-api.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { ScriptedModel, startAgents, type Agents } from '../testing/agents.ts';
import { slowPage, slowUrl } from '../testing/slow-page.ts';

interface Streamed {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly comments: readonly string[];
  readonly frames: readonly { readonly event: string | undefined; readonly data: string }[];
}

describe('a message that is answered in a stream of events', () => {
  const model = new ScriptedModel();
  const page = slowPage();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ enforceRates: true, model, driver: { waits: page.waits } });
  });
  after(() => agents.close());

  interface Asking {
    readonly id: string;
    readonly token: string | null;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    readonly port?: number;
    /** Called with the text received so far. */
    readonly onText?: (text: string, leave: () => void) => void;
  }

  const stream = ({
    id,
    token,
    body,
    headers,
    onText,
    port = agents.side.port,
  }: Asking): Promise<Streamed & { text: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{
            port,
            method: 'POST',
            path: `/v1/agent-sessions/${id}/message`,
            agent: false,
          },
          headers: {
            accept: 'text/event-stream',
            'content-type': 'application/json',
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            onText?.(text, () => sent.destroy());
          });
          response.once('error', reject);
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, ...parsed(text), text }),
          );
        },
      );
      sent.once('error', reject);
      sent.end(typeof body === 'string' ? body : JSON.stringify(body ?? { user_message: 'scroll down' }));
    });

  function parsed(text: string) {
    const comments: string[] = [];
    const frames: { event: string | undefined; data: string }[] = [];
    const parser = createParser({
      onComment: (comment) => void comments.push(comment),
      onEvent: ({ event, data }) => void frames.push({ event, data }),
    });
    parser.feed(text);
    return { comments, frames };
  }

  const framed = ({ frames }: Streamed) => {
    expect(frames.map(({ event }) => event)).to.deep.equal(['response']);
    return JSON.parse(frames[0]?.data ?? '') as { status: number; body: Record<string, unknown> };
  };
  const said = { user_message: 'go to http://sim.test/' };

  it('opens at once, and ends with the answer that there would have been', async () => {
    const opened = await agents.open();
    let isOpenBefore = false;
    model.plans(async () => {
      await until(() => isOpenBefore);
      return { decision: 'answer', answer: 'Yes.' };
    });
    const streamed = await stream({
      ...opened,
      body: { user_message: 'are you there?' },
      headers: { 'x-byok-llm-api-key': 'sk-ant-own' },
      onText: (text) => (isOpenBefore ||= text.startsWith(': stream open\n\n')),
    });
    expect(streamed.status).to.equal(200);
    expect(streamed.headers['content-type']).to.equal('text/event-stream');
    expect(streamed.comments[0]).to.equal('stream open');
    const { status, body } = framed(streamed);
    expect([status, body.kind, body.ok]).to.deep.equal([200, 'plan-executed', true]);
  });

  it('has refusals in its frame: of an unknown session, of a body, of a session that is closed', async () => {
    const opened = await agents.open();
    const unknown = framed(await stream({ ...opened, id: 'agt_00000000-0000-4000-8000-000000000000' }));
    expect([unknown.status, unknown.body.status]).to.deep.equal([404, 404]);
    const invalid = framed(await stream({ ...opened, body: { user_message: '' } }));
    expect([invalid.status, Array.isArray(invalid.body.errors)]).to.deep.equal([400, true]);
    expect(framed(await stream({ ...opened, body: '{' })).status).to.equal(400);
    await agents.shut(opened.id);
    expect(framed(await stream(opened)).status).to.equal(409);
  });

  it('is not opened without a credential, without its scope, and beyond the rate', async () => {
    const opened = await agents.open();
    expect((await stream({ ...opened, token: null })).status).to.equal(401);
    const reader = await agents.side.staff.token(opened.accountId, ['read']);
    expect((await stream({ ...opened, token: reader })).status).to.equal(403);
    const all = await Promise.all(Array.from({ length: 60 }, () => stream(opened)));
    const limited = all.find(({ status }) => status === 429);
    expect(limited?.headers['retry-after']).to.match(/^\d+$/);
    expect(limited?.headers['content-type']).to.equal('application/problem+json');
  });

  it('shares the idempotency key with the answer that is no stream, and says of a replay that it is one', async () => {
    const opened = await agents.open();
    const headers = { 'idempotency-key': 'shared' };
    const first = await stream({ ...opened, body: said, headers });
    const plain = await agents.message(opened, said.user_message, headers);
    const again = await stream({ ...opened, body: said, headers });
    expect(first.headers).not.to.have.property('idempotency-replayed');
    expect([plain.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).to.deep.equal([
      'true',
      'true',
    ]);
    expect(framed(again)).to.deep.equal({ status: 200, body: plain.json });
    expect(again.frames[0]?.data).to.equal(`{"status":200,"body":${plain.text}}`);
    expect(again.frames[0]?.data).to.equal(first.frames[0]?.data);
  });

  /** Leaves a message whose turn then waits for its page. */
  async function leave(asking: Asking): Promise<void> {
    const body = { user_message: `go to ${slowUrl} then scroll down` };
    const left = stream({ ...asking, body, onText: (_text, hangUp) => hangUp() }).then(
      () => 'ended',
      () => 'left',
    );
    expect(await left).to.equal('left');
    await page.asked();
  }

  it('may be left: the turn goes on', async () => {
    const opened = await agents.open();
    await leave(opened);
    page.comes();
    await until(async () => (await agents.typesOf(opened.id)).includes('TurnSettled'));
    expect((await agents.state(opened.id)).turn).to.equal(null);
  });

  it('is over before the API has closed, also if it was left', async () => {
    const { app, idle, close: end } = composeWriteApi(agents.side.ports);
    const { port, close } = await listen(app, 0, { idle });
    const opened = await agents.open();
    await leave({ ...opened, port });
    const closing = close();
    page.comes();
    await closing;
    expect(await agents.typesOf(opened.id)).to.include('TurnSettled');
    await end();
  });
});
