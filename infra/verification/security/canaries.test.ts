import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import pg from 'pg';
import { caller, type Answer } from '../../http/testing.ts';
import { talkToAgents } from './canary-agents.ts';
import { saveAndMove } from './canary-profile.ts';
import { signUpAndIn } from './canary-sign-in.ts';
import { dumpOf } from './redis-dump.ts';
import {
  freshDatabase,
  startConnectProxy,
  startOtlpReceiver,
  startRedis,
  startStack,
  tempDir,
  until,
  type OtlpReceiver,
  type TestDatabase,
  type TestRedis,
  type TestStack,
} from '../testbed/index.ts';
import { startModelProvider, type TestModelProvider } from '../testbed/model-provider.ts';

/** Secrets that must not be found anywhere after a run in which clients sent them. */
const canaries = {
  typed: 'canary-typed-8c1f',
  username: 'canary-user-27aa',
  password: 'canary-password-93be',
  otp: 'canary-otp-55d0',
  header: 'canary-header-e6f1',
  cookie: 'canary-cookie-0b9c',
  wrongKey: 'canary-key-41c7',
  query: 'canary-query-7d3e',
  proxy: 'canary-proxy-6a2d',
  ownKey: 'canary-own-key-58bd',
  serviceKey: 'canary-service-key-0f4e',
  organization: 'canary-organization-c3d9',
  address: 'canary-person-9f47@example.com',
  chosen: 'canary-chosen-d2b8',
  stored: 'canary-stored-a41e',
  passphrase: 'canary-passphrase-70c3',
  said: 'canary-said-2b6e',
  variable: 'canary-variable-9a07',
  refusedKey: 'canary-refused-key-e914',
  jar: 'canary-jar-77d0',
  video: 'canary-video-secret-1ac5',
  token: 'canary-token-d8f2',
};

describe('secrets', function () {
  this.timeout(180_000);
  let database: TestDatabase;
  let redis: TestRedis;
  let stack: TestStack;
  let provider: TestModelProvider;
  let collector: OtlpReceiver;
  /** Keys that the provider accepts. */
  const providerKeys = [canaries.header, canaries.ownKey, canaries.serviceKey].map((key) => `sk-ant-${key}`);
  const answers: Answer[] = [];
  const secrets: string[] = Object.values(canaries);
  const driverLog = join(tempDir('canaries'), 'driver.log');

  before(async () => {
    [redis, database, provider, collector] = await Promise.all([
      startRedis(),
      freshDatabase(),
      startModelProvider({ keys: providerKeys }),
      startOtlpReceiver(),
    ]);
    const env = {
      POSTGRES_URL: database.url,
      QUEUE_URL: redis.url,
      DRIVER_LOG: driverLog,
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      // For the proxy and the model provider that the test itself runs.
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LLM_BASE_URL: provider.url,
      LLM_API_KEY: `sk-ant-${canaries.serviceKey}`,
      VIDEO_WS_URL: 'wss://video.example',
      VIDEO_API_KEY: 'video',
      VIDEO_API_SECRET: `${canaries.video}-that-is-long-enough`,
    };
    stack = await startStack({ env, limitMs: 120_000 });
    await sendCanaries();
  });
  after(async () => {
    await stack.stop();
    await provider.close();
    await Promise.all([redis.stop(), database.drop(), collector.close()]);
  });

  /** Requests with every kind of secret, both successful and failing. */
  async function sendCanaries(): Promise<void> {
    const { api_key: token } = await stack.account('api_scale');
    secrets.push(secretOf(token));
    const send = caller(Number(new URL(stack.baseUrl).port));
    const headers = {
      Cookie: `session=${canaries.cookie}`,
      'X-Own-Key': canaries.header,
      'x-byok-llm-api-key': canaries.header,
    };
    const call = async (target: string, body?: unknown, key: string = token) => {
      const answer = await send(target, { token: key, headers, ...(body !== undefined && { body }) });
      answers.push(answer);
      return answer;
    };
    const session = `/v1/sessions/${String((await call('POST /v1/sessions', {})).json.id)}`;
    await call(`POST ${session}/navigate`, { url: 'http://sim.test/form' });
    for (const sensitive of [true, false]) {
      for (const selector of ['#name', '#missing']) {
        const action = { kind: 'type', selector, text: canaries.typed, sensitive };
        await call(`POST ${session}/interact`, { action });
        await call(`POST ${session}/interact`, { action, timeout_ms: 'wrong' });
      }
    }
    const fields = { username: canaries.username, password: canaries.password, otp: canaries.otp };
    for (const url of ['http://sim.test/login', 'http://sim.test/login-otp', 'http://sim.test/crash'])
      await call(`POST ${session}/login`, { url, fields });
    await call(`GET ${session}/state`);
    await call('GET /v1/sessions', undefined, canaries.wrongKey);
    await call(`GET /v1/nowhere?key=${canaries.query}`);
    const made = await call('POST /v1/api-keys', { name: 'rotated' });
    const rotated = await call(`POST /v1/api-keys/${String(made.json.id)}/rotate`, {});
    for (const { json } of [made, rotated]) secrets.push(secretOf(String(json.key)));
    // An IP address, so that there is no DNS query, and events that never happen, so that nothing is sent there.
    const endpoint = { url: 'https://93.184.215.14/hooks', events: ['crypto.order.paid'] };
    const hook = await call('POST /v1/webhooks', endpoint);
    const path = `/v1/webhooks/${String(hook.json.id)}`;
    const renewed = await call(`POST ${path}/rotate-secret`);
    for (const { json } of [hook, renewed]) secrets.push(String(json.secret));
    await goThroughProxy(call);
    const talk = await talkToAgents(stack, token, provider, canaries);
    secrets.push(...talk.given);
    await storeOwnKey(call, () => talk.withStoredKey());
    answers.push(...talk.answers);
    // An account's own data, which its answers contain.
    const said = { token, body: { company: canaries.organization } };
    expect((await send('PUT /v1/account/me/organization', said)).status).to.equal(200);
    await askForDevice(send);
    const signedIn = await signUpAndIn(stack, { email: canaries.address, password: canaries.chosen });
    answers.push(...signedIn.answers);
    secrets.push(...signedIn.secrets);
    const tell = (target: string, body?: unknown) => send(target, { token, body });
    secrets.push(...(await saveAndMove(stack, { call, tell }, canaries)));
    for (const list of ['/v1/api-keys', '/v1/account/audit-log', '/v1/sessions', '/v1/webhooks', path])
      await call(`GET ${list}`);
    expect(secrets).to.have.length(Object.keys(canaries).length + 52);
  }

  /** Polls with the codes of a device, and with guesses. The answer that contains the codes is not searched. */
  async function askForDevice(send: ReturnType<typeof caller>): Promise<void> {
    const client_id = 'service-desktop';
    const asked = await send('POST /v1/oauth/device_authorization', { token: null, body: { client_id } });
    const [deviceCode, userCode] = [String(asked.json.device_code), String(asked.json.user_code)];
    secrets.push(secretOf(deviceCode, 'svc_device_'), userCode, userCode.replace('-', ''));
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id };
    for (const device_code of [deviceCode, deviceCode.slice(0, -1), deviceCode]) {
      answers.push(await send('POST /v1/oauth/token', { token: null, body: { ...grant, device_code } }));
    }
    answers.push(await send(`GET /v1/oauth/device?user_code=${userCode}`, { token: null }));
  }

  /** Sessions through a saved proxy, with the right password and with a wrong one. */
  async function goThroughProxy(call: (target: string, body?: unknown) => Promise<Answer>): Promise<void> {
    const credential = `ada:${canaries.proxy}`;
    const proxy = await startConnectProxy({ credential });
    const address = { label: 'home', scheme: 'http', host: '127.0.0.1', port: proxy.port };
    const fields = { ...address, username: 'ada', password: canaries.proxy };
    const proxy_id = String((await call('POST /v1/account/me/proxies', fields)).json.id);
    expect((await call('POST /v1/sessions', { proxy_id })).status).to.equal(201);
    expect(proxy.asked.join()).to.include(credential);
    await call(`POST /v1/account/me/proxies/${proxy_id}/check`);
    await call(`PATCH /v1/account/me/proxies/${proxy_id}`, { password: `${canaries.proxy}!` });
    expect((await call('POST /v1/sessions', { proxy_id })).status).to.equal(422);
    const stranger = await startConnectProxy({ credential: 'nobody:knows' });
    const saved = `/v1/account/me/proxies/${proxy_id}`;
    const moved = await call(`PATCH ${saved}`, { port: stranger.port });
    expect(moved.json).to.include({ port: stranger.port, has_password: false });
    await call(`POST ${saved}/check`);
    expect(stranger.asked).not.to.have.length(0);
    expect(stranger.asked.join()).not.to.include(canaries.proxy);
    await Promise.all([proxy.close(), stranger.close()]);
  }

  /** An own key that its provider accepts, rejects, or cannot check because it is down, and one of a wrong form. */
  async function storeOwnKey(
    call: (target: string, body?: unknown) => Promise<Answer>,
    meanwhile: () => Promise<void>,
  ): Promise<void> {
    const path = '/v1/account/me/byok-llm-key';
    const api_key = `sk-ant-${canaries.ownKey}`;
    await call(`PUT ${path}`, { api_key: `${api_key} !` });
    await call(`PUT ${path}`, { api_key });
    expect((await call(`POST ${path}/test`)).json).to.include({ ok: true });
    await meanwhile();
    providerKeys.splice(0);
    expect((await call(`POST ${path}/test`)).json).to.include({ ok: false, error: 'rejected' });
    await provider.close();
    expect((await call(`POST ${path}/test`)).json).to.include({ ok: false, error: 'unreachable' });
    for (const target of [`GET ${path}`, 'GET /v1/account/me/bundled-llm-status', `DELETE ${path}`])
      await call(target);
  }

  const assertAbsent = (text: string, where: string) => {
    expect(
      secrets.filter((secret) => text.includes(secret)),
      where,
    ).to.deep.equal([]);
  };

  it('are in no file of the stack: the record, the logs and the driver’s log', () => {
    const files = readdirSync(stack.dataDir, { recursive: true, withFileTypes: true });
    const searched = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(searched.some((file) => file.includes('event-store'))).to.equal(true);
    expect(searched.some((file) => file.includes('write-api.log'))).to.equal(true);
    for (const file of [...searched, driverLog]) assertAbsent(readFileSync(file, 'latin1'), file);
  });

  it('are in no directory that states of profiles pass through, which are empty afterwards', () => {
    for (const name of ['spool', 'node/uploads']) {
      const directory = join(stack.dataDir, name);
      expect(existsSync(directory) ? readdirSync(directory) : [], directory).to.deep.equal([]);
    }
  });

  it('are in no event of the record and in no row of any schema', async () => {
    const { stdout } = await stack.service('events', 'export', '--json');
    expect(stdout).to.include('OperationSettled');
    assertAbsent(stdout, 'the record');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select each::text as row from ${name} as each`);
      assertAbsent(rows.map(({ row }) => row).join('\n'), name);
    }
    await client.end();
    expect(tables.length).to.be.above(5);
  });

  it('are in no trace', async () => {
    await until(() => collector.spans.some(({ name }) => name === 'browser interact'));
    assertAbsent(collector.texts.join('\n'), 'traces');
  });

  it('are in no support bundle, and no address, id that a client chose or text of a page either', async () => {
    const file = join(tempDir('bundle'), 'bundle.tar.gz');
    const { stdout, stderr } = await stack.service('support-bundle', '--out', file, '--json');
    expect(JSON.parse(stdout), stderr).to.include({ file }).and.have.property('missing').that.deep.equals([]);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const content = gunzipSync(readFileSync(file)).toString('latin1');
    expect(content)
      .to.include('service_gateway_requests_total')
      .and.include('Answered.')
      .and.include('doctor.json');
    assertAbsent(content, 'the bundle');
    const kept = Object.values(
      JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as object,
    );
    expect(kept.filter((secret) => content.includes(String(secret)))).to.deep.equal([]);
    for (const text of ['sim.test', '93.184.215.14', 'example.com']) expect(content).not.to.include(text);
  });

  it('are in nothing that Redis holds', async () => {
    assertAbsent(await dumpOf(redis), 'Redis');
  });

  it('are in no answer but the one that issues a key or a secret', () => {
    for (const { text, status } of answers) {
      // Two tokens of one session that are issued within a second are the same.
      const found = new Set(secrets.filter((secret) => text.includes(secret)));
      const given =
        status < 300
          ? text.match(
              /"(key":"svc_live_|secret":"whsec_|refresh_token":"|access_token":"|mfa_token":"|passphrase":")/g,
            )
          : [];
      expect(found.size, text).to.be.at.most(given?.length ?? 0);
    }
  });
});

/** The secret part of a key, or of another secret of its form, without its id. */
const secretOf = (key: string, marker = 'svc_live_'): string => key.slice(marker.length + 22, -6);
