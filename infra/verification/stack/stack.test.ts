import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projections } from '../../../projections/index.ts';
import { startStack, until, type NewAccount, type TestStack } from '../testbed/index.ts';
import { readStack } from '../../main/supervisor/stack-file.ts';
import { headOf, leftOpen, openToOthers } from './others-on-the-machine.ts';

const START_LIMIT_MS = 120_000;

describe('the whole stack', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let account: NewAccount;
  let sessionId: string;

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${stack.baseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
    });

  before(async () => {
    const umask = process.umask(0);
    stack = await startStack({ dataDir: leftOpen(), limitMs: START_LIMIT_MS });
    process.umask(umask);
    account = await stack.account('api_scale');
    const created = await call('/v1/sessions', { method: 'POST', body: '{"label":"kept"}' });
    sessionId = ((await created.json()) as { id: string }).id;
  });
  after(() => stack.stop());

  it('answers 200 at /readyz when everything serves, and names each of its processes', async () => {
    expect((await fetch(`${stack.baseUrl}/readyz`)).status).to.equal(200);
    expect(stack.processes).to.include.all.keys(
      ...[
        'supervisor',
        'postgres',
        'event-store',
        'projector',
        'read-api',
        'write-api',
        'node',
        'processes',
        'worker',
        'gateway',
      ],
    );
  });

  it('serves the contract and its page at the base address', async () => {
    const contract = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as { openapi: string };
    expect(contract.openapi).to.match(/^3\.1/);
    expect((await fetch(`${stack.baseUrl}/reference`)).status).to.equal(200);
  });

  it('keeps all its files from other users of the machine, with any umask and any earlier content', () => {
    expect(openToOthers(stack.dataDir)).to.deep.equal([]);
  });

  it('requires a password at its event store', async () => {
    const { environment } = readStack(stack.dataDir) ?? {};
    const url = environment?.EVENTSTORE_URL ?? '';
    expect(await headOf(url)).to.have.property('commit');
    const error = await headOf(url.replace(/\/\/[^@]+@/, '//')).catch((failure: unknown) => String(failure));
    expect(error).to.match(/asks for its user and password/);
  });

  it('shows its queues to the operator, at the worker, and to no one else', async () => {
    const { OPERATOR_TOKEN } = JSON.parse(
      readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8'),
    ) as Record<string, string>;
    const address = `http://127.0.0.1:${readStack(stack.dataDir)?.environment.WORKER_PORT}/queues`;
    expect((await fetch(address)).status).to.equal(401);
    const authorization = `Basic ${Buffer.from(`operator:${OPERATOR_TOKEN}`).toString('base64')}`;
    const page = await fetch(address, { headers: { authorization } });
    expect([page.status, await page.text()].join()).to.match(/^200.*<title>Queues/s);
  });

  it('shows its internals to callers on this machine, and through a proxy to those with the token', async () => {
    const { METRICS_TOKEN } = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >;
    const behindProxy = { 'x-forwarded-for': '192.0.2.1' };
    const authorization = `Bearer ${METRICS_TOKEN}`;
    const worker = `http://127.0.0.1:${readStack(stack.dataDir)?.environment.WORKER_PORT}`;
    for (const url of [stack.baseUrl, stack.writeUrl, worker]) {
      const statuses = [{}, behindProxy, { ...behindProxy, authorization }].map(
        async (headers) => (await fetch(`${url}/metrics`, { headers })).status,
      );
      expect(await Promise.all(statuses), url).to.deep.equal([200, 401, 200]);
      const ready = await fetch(`${url}/readyz`, { headers: behindProxy });
      expect(await ready.json(), url).to.deep.equal({ status: 'ready' });
    }
  });

  it('refuses a second start on the same data directory and reports who holds it', async () => {
    const second = await startStack({ dataDir: stack.dataDir }).catch((error: unknown) => String(error));
    expect(second).to.contain(`process ${stack.processes.supervisor}`);
  });

  it('announces what a node reports of a session', async () => {
    const post = async (path: string, body: object) =>
      (await call(path, { method: 'POST', body: JSON.stringify(body) })).json();
    const { id } = (await post('/v1/sessions', {})) as { id: string };
    await post(`/v1/sessions/${id}/navigate`, { url: 'http://sim.test/challenge' });
    const eventsUpTo = (last: string) =>
      until(async () => {
        const { data } = (await (await call('/v1/events')).json()) as {
          data: { type: string; data: { session_id: string } }[];
        };
        const own = data.filter(({ data: { session_id } }) => session_id === id);
        return own.at(-1)?.type === last && own;
      });
    await eventsUpTo('session.challenge_detected');
    await call(`/v1/sessions/${id}`, { method: 'DELETE' });
    const events = await eventsUpTo('session.completed');
    expect(events.map(({ type }) => type)).to.deep.equal([
      'session.egress_capability_changed',
      'session.challenge_detected',
      'session.completed',
    ]);
    expect(events[1]).to.have.nested.property('data.challenge.type', 'cloudflare_interstitial');
  });

  it('announces that the state of a session’s profile could not be saved', async () => {
    const post = async (path: string, body: object) =>
      (await call(path, { method: 'POST', body: JSON.stringify(body) })).json();
    const profile = (await post('/v1/profiles', { name: 'unsaveable' })) as { id: string };
    const { id } = (await post('/v1/sessions', { profile_id: profile.id })) as { id: string };
    const url = 'http://sim.test/unsaveable?reason=degenerate_dump';
    await post(`/v1/sessions/${id}/navigate`, { url });
    expect((await call(`/v1/sessions/${id}`, { method: 'DELETE' })).status).to.equal(204);
    const failure = await until(async () => {
      const { data } = (await (await call('/v1/events')).json()) as {
        data: { type: string; data: Record<string, unknown> }[];
      };
      return data.find(({ type, data }) => type === 'session.profile_save_failed' && data.session_id === id);
    });
    expect(failure.data).to.include({ profile_id: profile.id, reason: 'degenerate_dump' });
    expect(await (await call(`/v1/profiles/${profile.id}`)).json()).to.include({
      ...{ save_state: 'failed', save_error: 'degenerate_dump', storage_bytes: 0 },
    });
  });

  it('prints one JSON object and nothing else for `npm run service -- account create --json`', async () => {
    const args = [
      'run',
      'service',
      '--',
      'account',
      'create',
      '--email',
      'npm@example.com',
      '--tier',
      'team',
      '--json',
    ];
    const stdout = await new Promise<string>((resolve) => {
      execFile('npm', args, { env: { ...process.env, DATA_DIR: stack.dataDir } }, (_error, output) =>
        resolve(output),
      );
    });
    expect(Object.keys(JSON.parse(stdout) as object)).to.have.members([
      'account_id',
      'api_key_id',
      'api_key',
    ]);
  });

  describe('the operator’s commands', () => {
    const json = async (...args: string[]): Promise<unknown> => {
      const { status, stdout, stderr } = await stack.service(...args, '--json');
      expect(status, stderr).to.equal(0);
      return JSON.parse(stdout);
    };

    it('read one stream of the record', async () => {
      const { stdout } = await stack.service(
        'events',
        'read',
        `session-${sessionId.slice('ses_'.length)}`,
        '--json',
      );
      const types = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type);
      expect(types.slice(0, 2)).to.deep.equal(['SessionRequested', 'SessionReady']);
    });

    it('rebuild a read model while it is read, and find it the same', async () => {
      expect(await json('projections', 'rebuild', 'sessions')).to.include({ matches: true });
      expect((await call(`/v1/sessions/${sessionId}`)).status).to.equal(200);
    });

    it('verify every read model when none is named', async () => {
      const verdicts = (await json('projections', 'verify')) as { projection: string; matches: boolean }[];
      expect(verdicts.map(({ projection }) => projection)).to.deep.equal(projections.map(({ name }) => name));
      expect(verdicts.every(({ matches }) => matches)).to.equal(true);
    });

    it('verify an audit log', async () => {
      expect(await json('audit', 'verify', '--account', account.account_id)).to.deep.include({ ok: true });
    });

    it('show the configuration of the running stack without its secrets', async () => {
      const printed = JSON.stringify(await json('config', 'print'));
      expect(printed).to.contain('"EVENTSTORE_URL","value":"********"');
      expect(printed).not.to.contain('postgres://');
    });

    it('list the node and its load', async () => {
      const nodes = (await json('nodes', 'list')) as { driver: string; live: boolean }[];
      expect(nodes).to.have.length(1);
      expect(nodes[0]).to.include({ driver: 'simulated', live: true });
    });

    it('suspend an account at once and reinstate it', async () => {
      const other = await stack.account('team');
      const status = async () =>
        (
          await fetch(`${stack.baseUrl}/v1/sessions`, {
            headers: { authorization: `Bearer ${other.api_key}` },
          })
        ).status;
      expect(await status()).to.equal(200);
      await json('account', 'suspend', '--account', other.account_id, '--reason', 'test');
      await until(async () => (await status()) === 403);
      await json('account', 'unsuspend', '--account', other.account_id);
      await until(async () => (await status()) === 200);
    });

    it('erase an account: it ends, its log still verifies, and its address is free', async () => {
      const named = ['account', 'create', '--email', 'Erase.Me@example.com', '--tier', 'team'];
      const { account_id: id, api_key: key } = (await json(...named)) as NewAccount;
      const asked = async (path: string, body?: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const init =
          body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
        return (await fetch(`${stack.baseUrl}${path}`, init)).status;
      };
      const proxy = { label: 'home', scheme: 'http', host: 'proxy.example', port: 8080, password: 'hidden' };
      expect(await asked('/v1/account/me/proxies', proxy)).to.equal(201);
      expect(await asked('/v1/sessions', {})).to.equal(201);

      expect(await json('account', 'erase', '--account', id)).to.deep.include({
        erased: true,
        changed: true,
      });
      expect(await asked('/v1/account/me')).to.equal(401);
      await until(async () => (await asked('/v1/sessions', {})) === 401);
      const live = () => json('sessions-of', '--account', id, '--live');
      await until(async () => ((await live()) as unknown[]).length === 0);
      expect(await json('account', 'show', '--account', id)).to.deep.include({
        ...{ email: null, api_keys: 0, proxies: 0, live_sessions: 0 },
      });
      expect(await json('audit', 'verify', '--account', id)).to.deep.include({ ok: true });
      expect(await json('account', 'erase', '--account', id)).to.deep.include({ changed: false });
      expect(((await json(...named)) as NewAccount).account_id).not.to.equal(id);
    });

    it('fail with one clear line and exit status 1', async () => {
      const { status, stdout, stderr } = await stack.service('events', 'read', 'session-none', '--json');
      expect({ status, stdout, stderr }).to.deep.equal({
        status: 1,
        stdout: '',
        stderr: 'There is no stream session-none.\n',
      });
    });
  });

  describe('after a crash or a stop', () => {
    it('starts a role again when it was killed', async () => {
      const before = stack.processes['read-api'];
      await stack.kill('read-api');
      await until(() => stack.processes['read-api'] !== undefined, { limitMs: 20_000 });
      await stack.ready();
      expect(stack.processes['read-api']).not.to.equal(before);
      expect((await call(`/v1/sessions/${sessionId}`)).status).to.equal(200);
    });

    it('ends with status 0 on SIGTERM, and finds everything at the next start', async () => {
      const { dataDir } = stack;
      expect(await stack.stop()).to.equal(0);
      stack = await startStack({ dataDir, limitMs: START_LIMIT_MS });
      const session = (await (await call(`/v1/sessions/${sessionId}`)).json()) as { label: string };
      expect(session.label).to.equal('kept');
    });

    it('starts again after its supervisor was killed', async () => {
      const { dataDir } = stack;
      await stack.kill('supervisor');
      stack = await startStack({ dataDir, limitMs: START_LIMIT_MS });
      expect((await call(`/v1/sessions/${sessionId}`)).status).to.equal(200);
    });
  });
});
