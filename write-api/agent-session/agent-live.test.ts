import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { base64, withAgentSession } from '../testing/agent-session.ts';

const unavailable = { status: 'unavailable', reason: 'The agent session has no browser.' };

describe('the browser of an agent session, over HTTP', () => {
  const on = withAgentSession();
  const { call, get, operate, navigate, changes } = on;

  it('shows the state of the page in front', async () => {
    await navigate('/form');
    const { page_state } = await get('page-state');
    expect(page_state).to.include({ state: 'loaded', url: 'http://sim.test/form', title: 'Simulated form' });
  });

  it('answers while an operation is at work', async () => {
    const slow = navigate('/slow?ms=2000');
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

  it('takes as many and as long cookies as are promised, and no more', async () => {
    const cookies = Array.from({ length: 2000 }, (_each, index) => ({
      ...{ domain: `${'d'.repeat(60)}.sim.test`, name: `n${index}`.padEnd(96, '-'), value: 'v'.repeat(4000) },
      ...{ path: '/', expires: 253_402_300_799_000, httpOnly: true, secure: true, sameSite: 'Strict' },
    }));
    expect((await call('POST', 'cookies/set', { cookies })).json).to.deep.equal({ status: 'ok' });
    expect(await get('cookies')).to.deep.equal({ cookies, status: 'ok' });
    const more = await call('POST', 'cookies/set', {
      cookies: [...cookies, { ...cookies[0], name: 'more' }],
    });
    expect([more.status, more.json.errors]).to.have.nested.property('[1][0].path', '/body/cookies');
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
    const { token: stranger } = await on.side.staff.account('team');
    const capture = `captures/${toId('capture', randomUUID())}`;
    for (const [id, as] of [
      [on.agent, stranger],
      [toId('agentSession', randomUUID()), on.token],
      ['agt_1', on.token],
      [on.driven, on.token],
    ] as const) {
      for (const path of [...reads, capture, 'gui-control-key'])
        expect((await call('GET', path, undefined, id, as)).status, path).to.equal(404);
      for (const [path, body] of [...writes, ['video-token', {}] as const])
        expect((await call('POST', path, body, id, as)).status, path).to.equal(404);
    }
  });

  it('is read with the scopes of reads, and changed with that of writes alone', async () => {
    const reader = await on.side.staff.token(on.accountId, ['read:sessions']);
    for (const path of reads)
      expect((await call('GET', path, undefined, on.agent, reader)).status, path).to.equal(200);
    for (const [path, body] of writes)
      expect((await call('POST', path, body, on.agent, reader)).status, path).to.equal(403);
    expect((await call('GET', 'gui-control-key', undefined, on.agent, reader)).status).to.equal(403);
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
    await on.withoutBrowser();
    await isAbsent();
  });

  it('is unavailable once it has ended', async () => {
    await on.side.call(`DELETE /v1/sessions/${on.driven}`, { token: on.token });
    await isAbsent();
  });

  it('is unavailable once the agent session is closed', async () => {
    await on.close();
    await isAbsent();
  });

  it('acts for requests of its account on the first of several elements, and ignores `strict`', async () => {
    await navigate('/');
    const action = { kind: 'tap', selector: '.price' };
    expect((await operate('interact', { action, strict: true })).status).to.equal(200);
  });
});
