import { expect } from 'chai';
import { startTestSite, type TestSite } from '../../infra/fleet/webkit/testing/site.ts';
import { processesOf } from '../../infra/fleet/webkit/processes.ts';
import { startDriver } from '../../infra/fleet/webkit/testing/browser.ts';
import { parseAllowList } from '../../infra/outbound/address-policy.ts';
import { tempDir } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('an operation of a real browser that exceeds its timeout', () => {
  let site: TestSite;
  let side: WriteSide;
  let token: string;
  const runtimeDir = tempDir('webkit');
  before(async () => {
    site = await startTestSite();
    const browsers = await startDriver({ runtimeDir });
    side = await startWriteSide({ browsers, operationGraceMs: 2_000, allow: parseAllowList('127.0.0.0/8') });
    ({ token } = await side.staff.account('team'));
  });
  after(async () => {
    await side.close();
    await site.close();
  });

  const open = async (path: string) => {
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    const id = String(json.id);
    expect((await operate(id, 'navigate', { url: `${site.url}${path}` })).status).to.equal(200);
    return id;
  };
  const operate = (id: string, operation: string, body: object) =>
    side.call(`POST /v1/sessions/${id}/${operation}`, { token, body });
  const ends = async (id: string) =>
    (await side.events(`session-${id.slice(4)}`)).flatMap(({ type, data }) =>
      type === 'SessionErrored' ? [data as Record<string, unknown>] : [],
    );

  it('is stopped, and the next operation does not meet it', async () => {
    const id = await open('/form');
    const type = (text: string, more: object) =>
      operate(id, 'interact', { action: { kind: 'type', selector: '#name', text, delay_ms: 100 }, ...more });
    expect((await type('a'.repeat(40), { timeout_ms: 1_000 })).status).to.equal(504);
    expect((await type('.', {})).status).to.equal(200);
    const { json } = await operate(id, 'extract', { schema: { type: 'string', 'x-selector': '#name' } });
    expect(json.data).to.match(/^a{1,39}\.$/);
  });

  it('errors the session when its page never gives its thread back', async () => {
    const id = await open('/loop');
    const tap = { action: { kind: 'tap', selector: '#loop' }, timeout_ms: 300 };
    expect((await operate(id, 'interact', tap)).status).to.equal(504);
    expect((await operate(id, 'interact', tap)).status).to.equal(410);
    const [end] = await ends(id);
    expect(end).to.include({ operation: 'interact', errorName: 'SessionTimeoutError' });
  });

  it('errors the session when the browser is silent', async () => {
    const id = await open('/form');
    for (const pid of processesOf(runtimeDir)) process.kill(pid, 'SIGSTOP');
    const login = { url: `${site.url}/login`, fields: { username: 'ada' }, timeout_ms: 300 };
    expect((await operate(id, 'login', login)).status).to.equal(504);
    const [end] = await ends(id);
    expect(end).to.include({ operation: 'login', errorName: 'SessionTimeoutError', reason: 'driver_silent' });
    for (const pid of processesOf(runtimeDir)) process.kill(pid, 'SIGCONT');
  });
});
