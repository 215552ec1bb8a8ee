import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { caller, type Answer } from '../http/fixture.ts';
import { startStack, tempDir, until, type StackOptions, type TestStack } from '../testbed/index.ts';
import type { NewAccount } from '../testbed/stack.ts';

const pause = { condition: { kind: 'delay', ms: 60_000 }, timeout_ms: 120_000 };
const glance = { condition: { kind: 'delay', ms: 0 } };

/** A client of the running service, with the key of a new account. */
async function newClient(stack: TestStack, tier: Parameters<TestStack['account']>[0] = 'api_scale') {
  return connect(stack, await stack.account(tier));
}

/** The same account again, on a stack that has come back elsewhere. */
function connect(stack: TestStack, account: NewAccount) {
  const call = caller(Number(new URL(stack.baseUrl).port));
  return {
    account,
    call: (target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      call(target, { token: account.api_key, headers, ...(body === undefined ? {} : { body }) }),
  };
}
type Client = ReturnType<typeof connect>;

async function newSession({ call }: Client): Promise<SessionId> {
  const { status, json } = await call('POST /v1/sessions', {});
  expect(status).to.equal(201);
  return json.id;
}

/** What reached the browsers, judged from outside the service. */
const driverLog = (path: string): { action: string; session_id: string; operation?: string }[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function streamOf(stack: TestStack, id: SessionId): Promise<string[]> {
  const { stdout } = await stack.service('events', 'read', `session-${uuidOf(id)}`, '--json');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).type);
}

const verified = async (stack: TestStack, account: string): Promise<number> =>
  (await stack.service('audit', 'verify', '--account', account)).status;

describe('A stack that crashes', function () {
  this.timeout(120_000);
  let stack: TestStack;
  const log = join(tempDir('driver'), 'driver.log');
  const start = (options: StackOptions = {}): Promise<TestStack> =>
    startStack({
      ...options,
      env: { DRIVER_LOG: log, RATE_LIMITS: 'off', HEARTBEAT_INTERVAL: '200ms', NODE_LOST_AFTER: '2s' },
    });

  before(async () => {
    stack = await start();
  });
  after(() => stack.stop());

  it('keeps a session busy, and its operation dispatched once, when write-api is killed between claim and settle', async () => {
    const client = await newClient(stack, 'personal');
    const id = await newSession(client);
    const interrupted = client.call(`POST /v1/sessions/${id}/wait`, pause).then(
      ({ status }) => status,
      () => 'broken' as const,
    );
    const operated = () =>
      driverLog(log).filter((line) => line.session_id === id && line.action === 'operate');
    await until(() => operated().length === 1);
    await stack.kill('write-api');
    expect(await interrupted).to.be.oneOf(['broken', 502, 503]);
    await stack.ready();

    expect((await client.call(`GET /v1/sessions/${id}`)).json.status).to.equal('busy');
    expect((await client.call(`POST /v1/sessions/${id}/wait`, glance)).status).to.equal(409);
    expect(operated()).to.have.length(1);
    expect((await client.call('POST /v1/sessions', {})).json.type).to.match(/concurrency-limit$/);

    expect((await client.call(`DELETE /v1/sessions/${id}`)).status).to.equal(204);
    expect((await client.call('POST /v1/sessions', {})).status).to.equal(201);
    expect(await streamOf(stack, id)).to.deep.equal([
      'SessionRequested',
      'SessionReady',
      'EgressCapabilitiesReported',
      'OperationClaimed',
      'SessionDestroyed',
    ]);
    await until(() => driverLog(log).some((line) => line.session_id === id && line.action === 'close'));
  });

  it('answers a repeated create with the first session when write-api was killed after it was asked', async () => {
    const client = await newClient(stack);
    const headers = { 'idempotency-key': randomUUID() };
    const first = client.call('POST /v1/sessions', { label: 'once' }, headers).catch(() => undefined);
    await stack.kill('write-api');
    await first;
    await stack.ready();
    const answer = await until(
      async () => {
        const again = await client.call('POST /v1/sessions', { label: 'once' }, headers);
        return again.status === 409 ? undefined : again;
      },
      { limitMs: 100_000, everyMs: 250 },
    );
    const listed = (await client.call('GET /v1/sessions')).json.data;
    if (answer.status === 201)
      expect(listed.map(({ id }: { id: string }) => id)).to.deep.equal([answer.json.id]);
    const launches = driverLog(log).filter(
      ({ action, session_id }) =>
        action === 'launch' && listed.some(({ id }: { id: string }) => id === session_id),
    );
    expect(launches.length).to.be.at.most(1);
  });

  it('leaves every read model equal to the log when the projector is killed under load, again and again', async () => {
    const client = await newClient(stack);
    const ids = await Promise.all(Array.from({ length: 8 }, () => newSession(client)));
    let working = true;
    let operations = 0;
    const load = ids.map(async (id) => {
      while (working) {
        expect((await client.call(`POST /v1/sessions/${id}/wait`, glance)).status).to.equal(200);
        operations += 1;
      }
    });
    for (let kills = 0; kills < 3; kills += 1) {
      const before = operations;
      await until(() => operations > before + 40, { limitMs: 20_000 });
      await stack.kill('projector');
    }
    working = false;
    await Promise.all(load);
    await stack.ready();
    await Promise.all(ids.map((id) => client.call(`DELETE /v1/sessions/${id}`)));

    const sessions = (await client.call('GET /v1/sessions')).json.data;
    expect(sessions.map(({ status }: { status: string }) => status)).to.deep.equal(
      ids.map(() => 'destroyed'),
    );
    for (const projection of ['sessions', 'api_keys', 'accounts', 'audit_log', 'nodes', 'timers']) {
      const { status, stderr } = await stack.service('projections', 'verify', projection);
      expect(status, `${projection}: ${stderr}`).to.equal(0);
    }
    expect(await verified(stack, client.account.account_id)).to.equal(0);
  });

  it('finds every session, event and key again after it was stopped and started', async () => {
    const client = await newClient(stack);
    const ids = [await newSession(client), await newSession(client)];
    await client.call(`DELETE /v1/sessions/${ids[0]}`);
    const before = await Promise.all(ids.map((id) => streamOf(stack, id)));
    expect(await stack.stop()).to.equal(0);
    stack = await start({ dataDir: stack.dataDir });
    const again = connect(stack, client.account);

    const listed = (await again.call('GET /v1/sessions')).json.data;
    expect(listed.map(({ id }: { id: string }) => id)).to.have.members(ids);
    expect(await streamOf(stack, ids[0] as SessionId)).to.deep.equal(before[0]);
    await until(async () => (await again.call(`GET /v1/sessions/${ids[1]}`)).json.status === 'errored', {
      limitMs: 30_000,
      everyMs: 100,
    });
    expect((await streamOf(stack, ids[1] as SessionId)).slice(0, before[1]?.length)).to.deep.equal(before[1]);
    expect((await again.call('POST /v1/sessions', {})).status).to.equal(201);
    expect(await verified(stack, client.account.account_id)).to.equal(0);
  });

  it('finds them again after every process was killed at once', async () => {
    const client = await newClient(stack);
    const ids = await Promise.all([newSession(client), newSession(client), newSession(client)]);
    const { supervisor, ...others } = stack.processes;
    for (const pid of [supervisor, ...Object.values(others)]) process.kill(pid as number, 'SIGKILL');
    await stack.stop();
    stack = await start({ dataDir: stack.dataDir });
    const again = connect(stack, client.account);

    const listed = (await again.call('GET /v1/sessions')).json.data;
    expect(listed.map(({ id }: { id: string }) => id)).to.have.members(ids);
    expect(await verified(stack, client.account.account_id)).to.equal(0);
  });
});
