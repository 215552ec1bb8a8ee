import { expect } from 'chai';
import type { ProxyFailure } from '../../contracts/events/proxy.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const path = '/v1/account/me/proxies';
const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('saved proxies over HTTP', () => {
  const clock = fixedClock();
  const dialled: DialledProxy[] = [];
  let outcome: ProxyFailure | null = null;
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({
      clock,
      probe: async (proxy) => {
        dialled.push(proxy);
        return outcome;
      },
    });
  });
  after(() => side.close());

  const given = { label: 'home', scheme: 'socks5', host: 'proxy.example', port: 1080 };
  const create = (token: string, body: object = {}) =>
    side.call(`POST ${path}`, { token, body: { ...given, ...body } });
  const saved = async (token: string, body: object = {}) => {
    const { status, json, text } = await create(token, body);
    expect(status, text).to.equal(201);
    return String(json.id);
  };
  const patch = (token: string, id: string, body: object) =>
    side.call(`PATCH ${path}/${id}`, { token, body });
  const remove = (token: string, id: string) => side.call(`DELETE ${path}/${id}`, { token });

  it('are saved with their password sealed and never shown', async () => {
    const { token, accountId } = await side.staff.account('team');
    const { status, json, headers } = await create(token, { username: 'ada', password: 'canary-9f' });
    expect(status).to.equal(201);
    expect(headers['x-service-position']).to.match(/^\d+\/\d+$/);
    expect(json).to.deep.equal({
      ...given,
      id: json.id,
      username: 'ada',
      has_password: true,
      last_check: null,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
    });
    const events = await side.events(`proxy-${String(json.id)}`);
    expect(events.map(({ type }) => type)).to.deep.equal(['ProxyCreated']);
    expect(JSON.stringify(events.map(({ data }) => data))).not.to.contain('canary-9f');
    const quota = await side.events(`account_proxies-${uuidOf(accountId)}`);
    expect(quota.map(({ type }) => type)).to.deep.equal(['ProxyReserved']);
  });

  it('have labels that are unique in their account, whatever their case', async () => {
    const [{ token }, other] = [await side.staff.account('team'), await side.staff.account('team')];
    const id = await saved(token);
    expect(slug(await create(token, { label: 'HOME' }))).to.equal('conflict');
    await saved(other.token);
    expect((await patch(token, id, { label: 'office' })).json.label).to.equal('office');
    await saved(token);
    expect(slug(await patch(token, id, { label: 'home' }))).to.equal('conflict');
  });

  it('are fifty at most; deleting one makes room', async () => {
    const { token } = await side.staff.account('team');
    const ids = [];
    for (let n = 1; n <= 50; n += 1) ids.push(await saved(token, { label: `proxy ${n}` }));
    const refused = await create(token, { label: 'one more' });
    expect([refused.status, slug(refused)]).to.deep.equal([429, 'tier-limit']);
    expect((await remove(token, String(ids[0]))).status).to.equal(204);
    await saved(token, { label: 'one more' });
  });

  it('of another account, deleted ones and what is no id are not found, all alike', async () => {
    const [{ token }, other] = [await side.staff.account('team'), await side.staff.account('team')];
    const id = await saved(other.token);
    const gone = await saved(token, { label: 'gone' });
    await remove(token, gone);
    for (const each of [id, gone, '0197f1a0-0000-7000-8000-000000000001', 'none', `prx_${id}`]) {
      for (const answer of [
        await patch(token, each, { label: 'mine' }),
        await side.call(`POST ${path}/${each}/check`, { token }),
      ]) {
        expect([answer.status, slug(answer)], each).to.deep.equal([404, 'not-found']);
      }
    }
    for (const each of [id, 'none']) expect((await remove(token, each)).status, each).to.equal(404);
  });

  it('are deleted again as they were the first time', async () => {
    const { token } = await side.staff.account('team');
    const id = await saved(token);
    expect((await remove(token, id)).status).to.equal(204);
    expect((await remove(token, id)).status).to.equal(204);
  });

  it('are tried with what was sealed, and say why nothing came through', async () => {
    const { token } = await side.staff.account('team');
    const id = await saved(token, { username: 'ada', password: 'p:ss' });
    outcome = 'auth_failed';
    const { status, json } = await side.call(`POST ${path}/${id}/check`, { token });
    const checked = { ok: false, reason: 'auth_failed', at: clock.now().toISOString() };
    expect([status, json]).to.deep.equal([200, checked]);
    expect(dialled.at(-1)).to.deep.equal({
      scheme: 'socks5',
      host: 'proxy.example',
      port: 1080,
      username: 'ada',
      password: 'p:ss',
    });
    const labelled = await patch(token, id, { label: 'still the same' });
    expect(labelled.json.last_check).to.deep.equal(checked);
    const moved = await patch(token, id, { password: null });
    expect(moved.json).to.include({ last_check: null, has_password: false });
  });

  it('lead their password nowhere else: it is dropped unless it is sent again', async () => {
    const { token } = await side.staff.account('team');
    const id = await saved(token, { username: 'ada', password: 'for-proxy.example' });
    const passwordOf = async () => {
      await side.call(`POST ${path}/${id}/check`, { token });
      return dialled.at(-1)?.password;
    };
    const moved = await patch(token, id, { host: 'stranger.example' });
    expect(moved.json).to.include({ host: 'stranger.example', has_password: false });
    expect(await passwordOf()).to.equal(null);
    const sent = await patch(token, id, { port: 3128, password: 'for-the-stranger' });
    expect(sent.json).to.include({ port: 3128, has_password: true });
    expect(await passwordOf()).to.equal('for-the-stranger');
    const same = await patch(token, id, { port: 3128, host: 'stranger.example', label: 'work' });
    expect(same.json).to.include({ label: 'work', has_password: true });
  });

  it('are refused with wrong fields, before anything is written', async () => {
    const { token, accountId } = await side.staff.account('team');
    const wrong: object[] = [
      { label: ' ' },
      { label: 'x'.repeat(121) },
      { scheme: 'ftp' },
      { host: 'http://proxy.example' },
      { host: '' },
      { port: 0 },
      { port: 65_536 },
      { username: 'a:b' },
      { password: 'line\nbreak' },
      { password: '' },
    ];
    for (const body of wrong) {
      const answer = await create(token, body);
      expect([answer.status, slug(answer)], JSON.stringify(body)).to.deep.equal([400, 'validation-failed']);
    }
    expect(await side.events(`account_proxies-${uuidOf(accountId)}`)).to.deep.equal([]);
  });
});
