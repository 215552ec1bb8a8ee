import { expect } from 'chai';
import type { ProxyFailure } from '../../contracts/events/proxy.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('sessions through a saved proxy, over HTTP', () => {
  const tried: DialledProxy[] = [];
  let outcome: ProxyFailure | null = null;
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({
      probe: async (proxy) => {
        tried.push(proxy);
        return outcome;
      },
    });
  });
  after(() => side.close());
  beforeEach(() => {
    tried.length = 0;
    outcome = null;
  });

  const saved = async (token: string) => {
    const body = {
      label: 'home',
      scheme: 'http',
      host: 'proxy.example',
      port: 3128,
      username: 'ada',
      password: 'canary-3c',
    };
    const { status, json } = await side.call('POST /v1/account/me/proxies', { token, body });
    expect(status).to.equal(201);
    return String(json.id);
  };
  const create = (token: string, body: object, key?: string) =>
    side.call('POST /v1/sessions', { token, body, ...(key && { headers: { 'Idempotency-Key': key } }) });

  it('are ready once the proxy was tried, and keep its password out of the log', async () => {
    const { token } = await side.staff.account('team');
    const { status, json } = await create(token, { proxy_id: await saved(token) });
    expect([status, json.status]).to.deep.equal([201, 'ready']);
    expect(tried).to.deep.equal([
      { scheme: 'http', host: 'proxy.example', port: 3128, username: 'ada', password: 'canary-3c' },
    ]);
    const log = JSON.stringify(await side.allEvents(), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(log).to.contain(String(json.id)).and.not.to.contain('canary-3c');
    expect(JSON.stringify(side.driverLog())).not.to.contain('canary-3c');
  });

  it('are refused with the reason when nothing comes through, and nothing is left of them', async () => {
    const { token, accountId } = await side.staff.account('personal');
    const proxy_id = await saved(token);
    for (const reason of ['unreachable', 'auth_failed', 'timeout', 'egress_blocked'] as const) {
      outcome = reason;
      const { status, json } = await create(token, { proxy_id });
      expect([status, slug({ json }), json.reason]).to.deep.equal([422, 'proxy-validation-failed', reason]);
    }
    const slots = await side.events(`account_slots-${uuidOf(accountId)}`);
    expect(slots.map(({ type }) => type)).to.deep.equal(
      Array.from({ length: 4 }, () => ['SlotReserved', 'SlotReleased']).flat(),
    );
    const ids = slots.map(({ data }) => (data as { sessionId: string }).sessionId);
    for (const id of ids) {
      expect(await side.events(`session-${uuidOf(id)}`)).to.deep.equal([]);
      expect((await side.call(`DELETE /v1/sessions/${id}`, { token })).status).to.equal(404);
    }
    expect(side.driverLog().filter(({ session_id }) => ids.includes(session_id))).to.deep.equal([]);
    expect((await create(token, {})).status).to.equal(201);
  });

  it('are refused for a proxy that is missing, deleted or foreign, and for what is no uuid', async () => {
    const { token } = await side.staff.account('team');
    const other = await side.staff.account('team');
    const gone = await saved(token);
    await side.call(`DELETE /v1/account/me/proxies/${gone}`, { token });
    for (const proxy_id of [gone, await saved(other.token), '0197f1a0-0000-7000-8000-000000000001']) {
      const answer = await create(token, { proxy_id });
      expect([answer.status, slug(answer)], proxy_id).to.deep.equal([404, 'not-found']);
    }
    for (const proxy_id of ['home', '', 7, null, `prx_${gone}`]) {
      const answer = await create(token, { proxy_id });
      expect([answer.status, slug(answer)], String(proxy_id)).to.deep.equal([400, 'validation-failed']);
    }
    expect(tried).to.deep.equal([]);
  });

  it('come up against the tier’s number before the proxy is tried', async () => {
    const { token } = await side.staff.account('personal');
    const proxy_id = await saved(token);
    await create(token, {});
    outcome = 'timeout';
    const answer = await create(token, { proxy_id });
    expect([answer.status, slug(answer)]).to.deep.equal([429, 'concurrency-limit']);
    expect(tried).to.deep.equal([]);
  });

  it('are answered the same again under the same key, without another try', async () => {
    const { token } = await side.staff.account('team');
    const proxy_id = await saved(token);
    outcome = 'auth_failed';
    const first = await create(token, { proxy_id }, 'failing');
    outcome = null;
    const again = await create(token, { proxy_id }, 'failing');
    expect([again.status, again.text]).to.deep.equal([422, first.text]);
    const made = await create(token, { proxy_id }, 'working');
    const replayed = await create(token, { proxy_id }, 'working');
    expect([replayed.status, replayed.text]).to.deep.equal([201, made.text]);
    expect(tried).to.have.length(2);
  });
});
