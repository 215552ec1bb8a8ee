import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('sessions over HTTP', () => {
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ driver: { waits: { operate: () => delay(30) } } });
  });
  after(() => side.close());

  const create = async (token: string, body: object = {}) => {
    const { status, json } = await side.call('POST /v1/sessions', { token, body });
    expect(status).to.equal(201);
    return String(json.id);
  };
  const navigate = (token: string, id: string, url = 'http://sim.test/') =>
    side.call(`POST /v1/sessions/${id}/navigate`, { token, body: { url } });

  it('are ready when the create answers, with the log position of the change', async () => {
    const { token, accountId } = await side.staff.account('team');
    const { status, json, headers } = await side.call('POST /v1/sessions', {
      token,
      body: { label: 'mine', metadata: { order: 7 } },
    });
    expect(status).to.equal(201);
    expect(json).to.include({ status: 'ready', label: 'mine', account_id: accountId, profile_id: null });
    expect(headers['x-service-position']).to.match(/^\d+\/\d+$/);
  });

  it('have an empty label when none was given, and the log says that none was', async () => {
    const { token } = await side.staff.account('team');
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    expect(json.label).to.equal('');
    const [asked] = await side.events(`session-${uuidOf(json.id as SessionId)}`);
    expect(asked?.data).to.include({ label: null });
  });

  it('run every operation and are ready again', async () => {
    const { token } = await side.staff.account('team');
    const id = await create(token);
    const home = await navigate(token, id);
    expect(home.status).to.equal(200);
    expect(home.json).to.include({ final_url: 'http://sim.test/', status: 200 });
    const tap = { action: { kind: 'tap', selector: '#to-form' } };
    const steps: [string, object | undefined][] = [
      ['POST interact', tap],
      ['POST wait', { condition: { kind: 'selector', selector: 'h1' } }],
      ['POST capture', { kind: 'screenshot' }],
      [
        'POST extract',
        { schema: { type: 'object', properties: { title: { type: 'string', 'x-selector': 'h1' } } } },
      ],
      ['GET state', undefined],
    ];
    for (const [step, body] of steps) {
      const [method, name] = step.split(' ');
      const answer = await side.call(`${method} /v1/sessions/${id}/${name}`, { token, body });
      expect(answer.status, `${step} ${answer.text}`).to.equal(200);
    }
  });

  it('answer 409 to a second operation while one runs, without dispatching it', async () => {
    const { token } = await side.staff.account('team');
    const id = await create(token);
    const [first, second] = await Promise.all([navigate(token, id), navigate(token, id)]);
    expect([first.status, second.status].sort()).to.deep.equal([200, 409]);
    expect(
      side.driverLog().filter((each) => each.session_id === id && each.action === 'operate'),
    ).to.have.lengthOf(1);
  });

  it('survive a page-level failure and die of a driver-level one', async () => {
    const { token } = await side.staff.account('team');
    const id = await create(token);
    const missing = await side.call(`POST /v1/sessions/${id}/interact`, {
      token,
      body: { action: { kind: 'tap', selector: '#nowhere' } },
    });
    expect(missing.status).to.equal(502);
    expect((await navigate(token, id)).status).to.equal(200);
    expect((await navigate(token, id, 'http://sim.test/crash')).status).to.equal(502);
    const after = await navigate(token, id);
    expect([after.status, after.json.type]).to.deep.equal([410, 'https://errors.example/session-destroyed']);
    expect((await side.events(`session-${id.slice(4)}`)).map(({ type }) => type)).to.include(
      'SessionErrored',
    );
  });

  it('answer 410 to the operation that loses to a DELETE, and 204 to every DELETE', async () => {
    const { token } = await side.staff.account('team');
    const id = await create(token);
    const running = navigate(token, id, 'http://sim.test/slow?ms=5000');
    await until(() => side.driverLog().some((each) => each.session_id === id && each.action === 'operate'));
    const ends = await Promise.all([1, 2].map(() => side.call(`DELETE /v1/sessions/${id}`, { token })));
    expect(ends.map(({ status }) => status)).to.deep.equal([204, 204]);
    expect((await running).status).to.equal(410);
    expect((await side.call(`DELETE /v1/sessions/${id}`, { token })).status).to.equal(204);
  });

  it('are destroyed while they are being created, without a wait for their browser', async () => {
    const starts = gate();
    const slow = await startWriteSide({ driver: { waits: { launch: starts.pass } } });
    const { token } = await slow.staff.account('personal');
    const creating = slow.call('POST /v1/sessions', { token, body: {} });
    const requested = await until(async () =>
      (await slow.allEvents()).find(({ type }) => type === 'SessionRequested'),
    );
    const id = `ses_${requested.stream.slice('session-'.length)}`;
    await starts.reached;
    expect((await slow.call(`DELETE /v1/sessions/${id}`, { token })).status).to.equal(204);
    starts.open();
    const second = slow.call('POST /v1/sessions', { token, body: {} });
    expect((await creating).status).to.equal(410);
    expect((await second).status).to.equal(201);
    await until(() =>
      slow.driverLog().some(({ action, session_id }) => action === 'close' && session_id === id),
    );
    await slow.close();
  });

  it('are limited to the tier’s number, and free their slot when they end', async () => {
    const { token } = await side.staff.account('personal');
    const id = await create(token);
    const refused = await side.call('POST /v1/sessions', { token, body: {} });
    expect(refused.status).to.equal(429);
    expect(refused.json).to.include({
      type: 'https://errors.example/concurrency-limit',
      current_sessions: 1,
      limit: 1,
    });
    expect(refused.headers).not.to.have.property('retry-after');
    await side.call(`DELETE /v1/sessions/${id}`, { token });
    await create(token);
  });

  it('have at most 64 KiB of metadata, and take no slot with more', async () => {
    const { token } = await side.staff.account('personal');
    const withMetadata = (metadata: object) => side.call('POST /v1/sessions', { token, body: { metadata } });
    const most = 64 * 1024 - '{"note":""}'.length;
    for (const note of ['x'.repeat(900_000), 'x'.repeat(most + 1), 'ü'.repeat(most / 2 + 1)]) {
      const { status, json } = await withMetadata({ note });
      expect([status, json.type]).to.deep.equal([400, 'https://errors.example/validation-failed']);
      expect(json.errors).to.have.nested.property('[0].path', '/body/metadata');
    }
    expect((await withMetadata({ note: 'x'.repeat(most) })).status).to.equal(201);
  });

  it('take an account’s override beyond its tier', async () => {
    const { token, accountId } = await side.staff.account('personal');
    await create(token);
    await side.staff.accounts.overrideConcurrency(accountId, 2, side.staff.context());
    await until(async () => (await side.call('POST /v1/sessions', { token, body: {} })).status === 201);
  });

  it('expire on the free tier only', async () => {
    const free = await side.staff.account('free');
    const { json } = await side.call('POST /v1/sessions', { token: free.token, body: {} });
    const lifetime = Date.parse(String(json.expires_at)) - Date.parse(String(json.created_at));
    expect(lifetime).to.be.within(20 * 60_000 - 1000, 20 * 60_000 + 1000);
    const paid = await side.staff.account('team');
    const other = await side.call('POST /v1/sessions', { token: paid.token, body: {} });
    expect(other.json).not.to.have.property('expires_at');
  });

  it('name the fields they ignored and answer the same without them', async () => {
    const { token } = await side.staff.account('team');
    const { status, headers } = await side.call('POST /v1/sessions', {
      token,
      body: { label: 'x', 'colour,ß': 1, size: 2 },
    });
    expect(status).to.equal(201);
    expect(headers['x-service-unknown-fields']).to.equal('colour%2C%C3%9F,size');
  });

  it('record the account’s position before the answer is sent', async () => {
    const { token, accountId } = await side.staff.account('team');
    const { headers } = await side.call('POST /v1/sessions', { token, body: {} });
    const { rows } = await side.pool.query<{ position: string }>(
      `select commit_position || '/' || prepare_position as position
       from ephemeral.account_positions where account_id = $1`,
      [accountId],
    );
    const [recorded = 0n, answered = 0n] = [rows[0]?.position, headers['x-service-position']].map((each) =>
      BigInt(each?.split('/')[0] ?? 0),
    );
    expect(recorded >= answered && answered > 0n).to.equal(true);
  });

  it('leave no secret in the log', async () => {
    const { token } = await side.staff.account('team', undefined, 'canary-address@example.com');
    const id = await create(token);
    await navigate(token, id, 'http://sim.test/login');
    const canary = 'canary-5d1e';
    await side.call(`POST /v1/sessions/${id}/login`, {
      token,
      body: { fields: { username: 'ann', password: canary } },
    });
    await side.call(`POST /v1/sessions/${id}/interact`, {
      token,
      body: { action: { kind: 'type', selector: '#password', text: canary, sensitive: true } },
    });
    const log = JSON.stringify(await side.allEvents(), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(log).to.contain(uuidOf(`ses_${id.slice(4)}`));
    for (const secret of [canary, 'canary-address', token, token.slice('svc_live_'.length + 22)])
      expect(log).not.to.contain(secret);
  });
});
