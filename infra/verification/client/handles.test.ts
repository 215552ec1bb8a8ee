import { expect } from 'chai';
import { Service } from 'service/client';
import { actions } from '../../../contracts/resources/session.ts';
import { startMisbehavingServer, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';

const session = { id: 'ses_1', status: 'ready', label: 'walk' };

describe('handles of the client', () => {
  let server: MisbehavingServer;
  const service = () => new Service({ baseUrl: server.url, apiKey: 'svc_test_1' });
  const handle = async () => {
    server.will(will.json(session, { status: 201 }));
    const own = await service().sessions.create();
    server.will(will.json({ data: null, matched: false }));
    return own;
  };
  const sent = () =>
    server.received.map(({ method, path, body }) => [
      `${method} ${path}`,
      body === '' ? undefined : (JSON.parse(body) as unknown),
    ]);

  before(async () => {
    server = await startMisbehavingServer();
  });
  after(() => server.close());

  it('have the fields of the resource, and these alone are copied', async () => {
    const own = await handle();
    expect(own.id).to.equal('ses_1');
    expect(JSON.parse(JSON.stringify(own))).to.deep.equal(session);
  });

  it('keep their methods where a newer service has a field of that name', async () => {
    const newer = { ...session, type: 'mobile', state: {}, past: [] };
    server.will(will.json(newer, { status: 201 }), will.json(newer));
    const own = await service().sessions.create();
    await own.refresh();
    expect([own.id, typeof own.type, typeof own.state]).to.deep.equal(['ses_1', 'function', 'function']);
    server.will(will.json({ id: 'agt_1', cookies: [] }));
    const agent = await service().agents.get('agt_1');
    expect([agent.id, typeof agent.cookies]).to.deep.equal(['agt_1', 'function']);
  });

  it('send each operation of a session, its options beside the fields of its body', async () => {
    const own = await handle();
    await own.navigate('https://example.org', { wait_until: 'networkidle', timeoutMs: 5000 });
    await own.interact({ kind: 'tap', selector: '#go' }, { timeout_ms: 100 });
    await own.tap({ role: 'button', name: 'Sign in' });
    await own.doubleTap({ selector: '#go' }, { dialogs: { accept: true } });
    await own.wait({ kind: 'text', text: 'Hello' }, { timeout_ms: 50 });
    await own.capture('screenshot', { full_page: true });
    await own.search('fruit', { limit: 2 });
    await own.login({ fields: { username: 'ada' } });
    await own.state();
    await own.videoToken();
    expect(sent()).to.deep.equal([
      ['POST /v1/sessions/ses_1/navigate', { url: 'https://example.org', wait_until: 'networkidle' }],
      ['POST /v1/sessions/ses_1/interact', { action: { kind: 'tap', selector: '#go' }, timeout_ms: 100 }],
      ['POST /v1/sessions/ses_1/interact', { action: { kind: 'tap', role: 'button', name: 'Sign in' } }],
      [
        'POST /v1/sessions/ses_1/interact',
        { action: { kind: 'double_tap', selector: '#go' }, dialogs: { accept: true } },
      ],
      ['POST /v1/sessions/ses_1/wait', { condition: { kind: 'text', text: 'Hello' }, timeout_ms: 50 }],
      ['POST /v1/sessions/ses_1/capture', { kind: 'screenshot', full_page: true }],
      ['POST /v1/sessions/ses_1/search', { query: 'fruit', limit: 2 }],
      ['POST /v1/sessions/ses_1/login', { fields: { username: 'ada' } }],
      ['GET /v1/sessions/ses_1/state', undefined],
      ['POST /v1/sessions/ses_1/video-token', undefined],
    ]);
  });

  it('have a method for each kind of action', async () => {
    const own = await handle();
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(own));
    const names = Object.keys(actions).map((kind) =>
      kind.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
    expect(methods).to.include.members(names);
  });

  it('extract an object without fields where nothing was found, and null where one value was not', async () => {
    const own = await handle();
    const schema = { type: 'object', properties: { heading: { type: 'string' } } } as const;
    expect(await own.extract(schema)).to.deep.include({ data: {}, matched: false });
    expect(await own.extract({ type: 'string', 'x-selector': 'h1' })).to.deep.include({ data: null });
  });

  it('end in `destroyed`, explicitly or at the end of a block', async () => {
    const own = await handle();
    server.will((response) => void response.writeHead(204).end());
    await own.end();
    expect(own.status).to.equal('destroyed');
    server.will(will.json(session, { status: 201 }), (response) => void response.writeHead(204).end());
    {
      await using used = await service().sessions.create();
      expect(used.status).to.equal('ready');
    }
    expect(sent().at(-1)).to.deep.equal(['DELETE /v1/sessions/ses_1', undefined]);
  });

  it('end again when the connection broke: ending twice has one effect', async () => {
    const own = await handle();
    server.will(will.broken, (response) => void response.writeHead(204).end());
    await own.end();
    expect(server.received).to.have.length(2);
  });

  it('are refreshed in place', async () => {
    const own = await handle();
    server.will(will.json({ ...session, status: 'busy' }));
    expect(await own.refresh()).to.equal(own);
    expect(own.status).to.equal('busy');
  });

  it('are the items of lists, optionally of one status', async () => {
    const data = [session, { ...session, id: 'ses_2', status: 'errored' }];
    server.will(will.json({ data, has_more: false, next_cursor: '' }));
    const ids: string[] = [];
    for await (const each of service().sessions.list({ status: 'ready' })) ids.push(each.id);
    expect(ids).to.deep.equal(['ses_1']);
  });

  it('come from a launch of a profile', async () => {
    server.will(will.json(session, { status: 201 }));
    const own = await service().profiles.launch('prof_1', { label: 'again' });
    await own.tap({ selector: '#go' });
    expect(sent().at(-1)).to.deep.equal([
      'POST /v1/sessions/ses_1/interact',
      { action: { kind: 'tap', selector: '#go' } },
    ]);
  });

  it('of agents have the operations of an agent session', async () => {
    const agent = { id: 'agt_1', status: 'active', mode: 'ai' };
    server.will(
      will.json(agent, { status: 201 }),
      will.json({ ...agent, mode: 'pair' }),
      will.json({}),
      will.json({ ...agent, status: 'closed' }),
    );
    const own = await service().agents.create({ mode: 'ai' });
    await own.setMode('pair');
    expect(own.mode).to.equal('pair');
    await own.takeover({ client_id: 'ada' });
    await own.end();
    expect(own.status).to.equal('closed');
    expect(sent()).to.deep.equal([
      ['POST /v1/agent-sessions', { mode: 'ai' }],
      ['POST /v1/agent-sessions/agt_1/mode', { mode: 'pair' }],
      ['POST /v1/agent-sessions/agt_1/takeover', { client_id: 'ada' }],
      ['DELETE /v1/agent-sessions/agt_1', undefined],
    ]);
  });
});
