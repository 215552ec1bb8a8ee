import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../contracts/ids.ts';
import { uploadLimits } from '../contracts/resources/live.ts';
import { until } from '../infra/verification/testbed/index.ts';
import { decideOn, openAgentSession } from './testing/agent-session.ts';
import { startWriteSide, type WriteSide } from './testing.ts';

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const unavailable = { status: 'unavailable', reason: 'The agent session has no browser.' };

describe('the browser of an agent session, over HTTP', () => {
  let side: WriteSide;
  let token: string;
  let accountId: AccountId;
  let driven: SessionId;
  let agent: AgentSessionId;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());
  beforeEach(async () => {
    ({ token, accountId } = await side.staff.account('team'));
    driven = await drive();
    agent = await openAgentSession(side.staff, accountId, driven);
  });

  const drive = async () => {
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    return String(json.id) as SessionId;
  };
  const call = (method: string, path: string, body?: unknown, id: string = agent, as = token) =>
    side.call(`${method} /v1/agent-sessions/${id}/${path}`, {
      token: as,
      ...(body !== undefined && { body }),
    });
  const get = async (path: string) => (await call('GET', path)).json;
  const operate = (operation: string, body: object, session = driven) =>
    side.call(`POST /v1/sessions/${session}/${operation}`, { token, body });
  const navigate = (path: string) => operate('navigate', { url: `http://sim.test${path}` });
  const changes = async () =>
    (await side.events(`agent_session-${uuidOf(agent)}`))
      .filter(({ type }) => type === 'BrowserChanged')
      .map(({ data }) => (data as { change: string }).change);
  const upload = (name: string, content: string | Uint8Array, mime = 'text/plain') =>
    call('POST', 'files', { name, mime, dataB64: base64(content) });

  it('tells how the page in front is', async () => {
    await navigate('/form');
    const { page_state } = await get('page-state');
    expect(page_state).to.include({ state: 'loaded', url: 'http://sim.test/form', title: 'Simulated form' });
  });

  it('answers while an operation is at work', async () => {
    const slow = navigate('/slow?ms=400');
    const state = async () => ((await get('page-state')).page_state as { state: string }).state;
    await until(async () => (await state()) === 'loading');
    expect((await get('cookies')).status).to.equal('ok');
    expect((await slow).status).to.equal(200);
  });

  it('gives its cookies, and takes what it gave', async () => {
    const cookie = { domain: 'sim.test', name: 'basket', value: '3', path: '/', expires: null };
    expect((await call('POST', 'cookies/set', { cookies: [cookie] })).json).to.deep.equal({ status: 'ok' });
    expect(await get('cookies')).to.deep.equal({ cookies: [cookie], status: 'ok' });
    expect(await changes()).to.deep.equal(['cookies_set']);
  });

  it('ignores fields of a body that it does not know, and names them', async () => {
    const cookies = [{ domain: 'sim.test', name: 'basket', value: '3' }];
    const written = await call('POST', 'cookies/set', { cookies, colour: 'red' });
    expect(written.json).to.deep.equal({ status: 'ok' });
    await navigate('/form');
    await navigate('/');
    const gone = await call('POST', 'history', { direction: 'back', colour: 'red' });
    expect(gone.json).to.deep.equal({ status: 'ok' });
    for (const { headers } of [written, gone]) expect(headers['x-service-unknown-fields']).to.equal('colour');
  });

  it('writes no cookie where one of them cannot be written, and says which', async () => {
    const cookies = [
      { domain: 'sim.test', name: 'good', value: '1' },
      { domain: 'sim.test', name: 'b;d', value: '1' },
    ];
    const { json } = await call('POST', 'cookies/set', { cookies });
    expect(json).to.include({ status: 'error' });
    expect(json.reason).to.include('Cookie 2');
    expect(await get('cookies')).to.deep.equal({ cookies: [], status: 'ok' });
    expect(await changes()).to.deep.equal([]);
  });

  it('goes back and forward, and says where the history ends', async () => {
    for (const path of ['/', '/form']) await navigate(path);
    expect((await call('POST', 'history', { direction: 'back' })).json).to.deep.equal({ status: 'ok' });
    expect((await get('page-state')).page_state).to.include({ url: 'http://sim.test/' });
    await call('POST', 'history', { direction: 'forward' });
    const end = await call('POST', 'history', { direction: 'forward' });
    expect(end.json).to.deep.equal({ status: 'error', reason: 'The history of the tab ends there.' });
    expect(await changes()).to.deep.equal(['history_moved', 'history_moved']);
  });

  it('lists the files that it has kept, and gives their content', async () => {
    await navigate('/report.csv');
    const content = 'fruit,price\napple,19.90\n';
    expect(await get('downloads')).to.deep.equal({
      files: [{ name: 'report.csv', mime: 'text/csv', size: content.length }],
      status: 'ok',
    });
    const { json } = await call('GET', 'downloads/content?name=..%2Freport.csv');
    expect(json).to.deep.equal({
      file: { name: 'report.csv', mime: 'text/csv', dataB64: base64(content) },
      status: 'ok',
    });
    expect(await get('downloads/content?name=none')).to.deep.equal({
      file: null,
      status: 'error',
      reason: 'There is no such download.',
    });
  });

  it('takes a file, which a page of this session is given by its handle, and of no other', async () => {
    const { json } = await upload('../notes/\u0007today.txt', 'hello');
    const handle = json.handle as { id: string };
    expect(json.status).to.equal('ok');
    expect(handle).to.include({ name: 'today.txt', mime: 'text/plain', size: 5 });
    await navigate('/form');
    const action = { kind: 'upload', selector: '#file', handle: handle.id };
    expect((await operate('interact', { action })).status).to.equal(200);
    expect(await changes()).to.deep.equal(['file_uploaded']);
    const other = await drive();
    await operate('navigate', { url: 'http://sim.test/form' }, other);
    expect((await operate('interact', { action }, other)).status).to.equal(502);
  });

  it('refuses a file without content, without a name, or larger than one may be', async () => {
    const errorOf = async (answer: ReturnType<typeof upload>) => {
      const { status, json } = await answer;
      return [status, (json.errors as { path: string }[] | undefined)?.[0]?.path];
    };
    expect(await errorOf(upload('a.txt', ''))).to.deep.equal([400, '/body/dataB64']);
    for (const name of ['/', '..', '\u0007', ' . '])
      expect(await errorOf(upload(name, 'x')), name).to.deep.equal([400, '/body/name']);
    const large = Buffer.alloc(uploadLimits.file + 1);
    expect(await errorOf(upload('a.bin', large))).to.deep.equal([400, '/body/dataB64']);
    expect(await changes()).to.deep.equal([]);
  });

  it('takes the largest file that there may be', async () => {
    const { json } = await upload('large.bin', Buffer.alloc(uploadLimits.file, 1));
    expect(json.handle).to.include({ size: uploadLimits.file });
  });

  it('refuses malformed bodies and queries', async () => {
    const wrong: readonly (readonly [string, string, unknown?])[] = [
      ['POST', 'cookies/set', { cookies: [] }],
      ['POST', 'cookies/set', { cookies: [{ name: 'a', value: '1' }] }],
      ['POST', 'cookies/set', {}],
      ['POST', 'history', { direction: 'up' }],
      ['POST', 'history', { direction: 'back', tabId: 'first' }],
      ['POST', 'history'],
      ['POST', 'files', { name: 'a', mime: 'text/plain' }],
      ['POST', 'files', { name: 'a', mime: 'text/plain', dataB64: '====' }],
      ['GET', 'downloads/content'],
      ['GET', 'downloads/content?name='],
    ];
    for (const [method, path, body] of wrong)
      expect((await call(method, path, body)).status, `${path} ${JSON.stringify(body)}`).to.equal(400);
  });

  const reads = ['page-state', 'cookies', 'downloads', 'downloads/content?name=a'];
  const writes: readonly (readonly [string, object])[] = [
    ['cookies/set', { cookies: [{ domain: 'sim.test', name: 'a', value: '1' }] }],
    ['history', { direction: 'back' }],
    ['files', { name: 'a', mime: '', dataB64: 'eA==' }],
  ];

  it('is hidden from other accounts, under ids that are none, and where there is no agent session', async () => {
    const { token: stranger } = await side.staff.account('team');
    const capture = `captures/${toId('capture', randomUUID())}`;
    for (const [id, as] of [
      [agent, stranger],
      [toId('agentSession', randomUUID()), token],
      ['agt_1', token],
      [driven, token],
    ] as const) {
      for (const path of [...reads, capture, 'gui-control-key'])
        expect((await call('GET', path, undefined, id, as)).status, path).to.equal(404);
      for (const [path, body] of [...writes, ['video-token', {}] as const])
        expect((await call('POST', path, body, id, as)).status, path).to.equal(404);
    }
  });

  it('is read with the scopes of reads, and changed with that of writes alone', async () => {
    const reader = await side.staff.token(accountId, ['read:sessions']);
    for (const path of reads)
      expect((await call('GET', path, undefined, agent, reader)).status, path).to.equal(200);
    for (const [path, body] of writes)
      expect((await call('POST', path, body, agent, reader)).status, path).to.equal(403);
    expect((await call('GET', 'gui-control-key', undefined, agent, reader)).status).to.equal(403);
  });

  const isAbsent = async () => {
    expect(await get('page-state')).to.deep.equal({ page_state: null });
    expect(await get('cookies')).to.deep.equal({ cookies: null, ...unavailable });
    expect(await get('downloads')).to.deep.equal({ files: null, ...unavailable });
    expect(await get('downloads/content?name=a')).to.deep.equal({ file: null, ...unavailable });
    for (const [path, body] of writes)
      expect((await call('POST', path, body)).json, path).to.deep.include(unavailable);
    expect(await changes()).to.deep.equal([]);
  };

  it('is unavailable as long as there is none', async () => {
    agent = await openAgentSession(side.staff, accountId);
    await isAbsent();
  });

  it('is unavailable once it has ended', async () => {
    await side.call(`DELETE /v1/sessions/${driven}`, { token });
    await isAbsent();
  });

  it('is unavailable once the agent session is closed', async () => {
    await decideOn(side.staff, agent, {
      type: 'Close',
      reason: 'customer-closed',
      at: new Date().toISOString(),
    });
    await isAbsent();
  });

  describe('with captures that it keeps', () => {
    const keep = async (kind = 'screenshot') => {
      const id = toId('capture', randomUUID());
      const [requested] = await side.events(`session-${uuidOf(driven)}`);
      const { nodeId } = requested?.data as { nodeId: `nod_${string}` };
      const dispatch_id = randomUUID();
      const input = { kind, keep_as: id };
      const dispatch = { dispatch_id, operation: 'capture' as const, input, timeout_ms: 5_000 };
      const outcome = await side.fleet.operate(nodeId, driven, dispatch, 10_000);
      return { id, result: outcome.outcome === 'succeeded' ? (outcome.result as object) : {} };
    };

    it('gives the content later, and not with the result', async () => {
      const inline = (await operate('capture', { kind: 'pdf' })).json;
      const { id, result } = await keep('pdf');
      expect(result).to.include({ data: '', byte_size: inline.byte_size });
      const { status, json } = await call('GET', `captures/${id}`);
      expect(status).to.equal(200);
      expect(json).to.include({ kind: 'pdf', encoding: 'base64', data: inline.data });
    });

    it('has the newest twenty', async () => {
      const { id: oldest } = await keep();
      const { id: second } = await keep();
      for (let more = 0; more < 19; more += 1) await keep();
      expect((await call('GET', `captures/${oldest}`)).status).to.equal(404);
      expect((await call('GET', `captures/${second}`)).status).to.equal(200);
    });

    it('gives them to nobody else, by no other session, under no other id, and not once it is closed', async () => {
      const { id } = await keep();
      const other = await openAgentSession(side.staff, accountId, await drive());
      const { token: stranger } = await side.staff.account('team');
      const statuses = [
        await call('GET', `captures/${id}`, undefined, other),
        await call('GET', `captures/${id}`, undefined, agent, stranger),
        await call('GET', `captures/${toId('capture', randomUUID())}`),
        await call('GET', 'captures/cap_..%2F..%2Fcredential'),
      ].map(({ status }) => status);
      expect(statuses).to.deep.equal([404, 404, 404, 404]);
      const close = { type: 'Close', reason: 'customer-closed', at: new Date().toISOString() } as const;
      await decideOn(side.staff, agent, close);
      expect((await call('GET', `captures/${id}`)).status).to.equal(404);
    });

    it('keeps none that a request of its own asks for', async () => {
      const id = toId('capture', randomUUID());
      const { json, headers } = await operate('capture', { kind: 'pdf', keep_as: id });
      expect(json.data).to.be.a('string').and.not.equal('');
      expect(headers['x-service-unknown-fields']).to.equal('keep_as');
      expect((await call('GET', `captures/${id}`)).status).to.equal(404);
    });
  });

  it('acts for requests of its account on the first of several elements, and for nobody strictly', async () => {
    await navigate('/');
    const action = { kind: 'tap', selector: '.price' };
    expect((await operate('interact', { action, strict: true })).status).to.equal(200);
  });
});
