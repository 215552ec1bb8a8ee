import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import type { Session } from '../../contracts/resources/session.ts';
import { projections } from '../../projections/index.ts';
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
  const { status, text } = await call('POST /v1/sessions', {});
  expect(status, text).to.equal(201);
  return (JSON.parse(text) as Session).id;
}

async function listed({ call }: Client): Promise<readonly Session[]> {
  const { status, text } = await call('GET /v1/sessions');
  expect(status, text).to.equal(200);
  return (JSON.parse(text) as { data: Session[] }).data;
}

async function statusOf({ call }: Client, id: SessionId): Promise<unknown> {
  return (await call(`GET /v1/sessions/${id}`)).json.status;
}

interface DriverLine {
  readonly action: 'launch' | 'operate' | 'close' | 'death';
  readonly session_id: SessionId;
}

const linesOf = <Line>(text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

async function streamOf(stack: TestStack, id: SessionId): Promise<string[]> {
  const { stdout } = await stack.service('events', 'read', `session-${uuidOf(id)}`, '--json');
  return linesOf<{ type: string }>(stdout).map(({ type }) => type);
}

const auditStatus = async (stack: TestStack, { account }: Client): Promise<number> =>
  (await stack.service('audit', 'verify', '--account', account.account_id)).status;

describe('A stack that crashes', function () {
  this.timeout(120_000);
  let stack: TestStack;
  const log = join(tempDir('driver'), 'driver.log');
  /** What reached the browser of a session, judged from outside the service. */
  const reached = (id: SessionId, action: DriverLine['action']): DriverLine[] =>
    linesOf<DriverLine>(readFileSync(log, 'utf8')).filter(
      (line) => line.session_id === id && line.action === action,
    );
  const start = (options: StackOptions = {}): Promise<TestStack> => startStack({ ...options, env });
  const env = {
    DRIVER_LOG: log,
    RATE_LIMITS: 'off',
    HEARTBEAT_INTERVAL: '200ms',
    NODE_LOST_AFTER: '2s',
    CREATION_DEADLINE: '5s',
    CREATION_LEASE: '8s',
    SLOT_LEASE: '6s',
  };

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
    await until(() => reached(id, 'operate').length === 1);
    await stack.kill('write-api');
    expect(await interrupted).to.be.oneOf(['broken', 502, 503]);
    await stack.ready();

    expect(await statusOf(client, id)).to.equal('busy');
    expect((await client.call(`POST /v1/sessions/${id}/wait`, glance)).status).to.equal(409);
    expect(reached(id, 'operate')).to.have.length(1);
    expect((await client.call('POST /v1/sessions', {})).json.type).to.match(/concurrency-limit$/);

    expect((await client.call(`DELETE /v1/sessions/${id}`)).status).to.equal(204);
    await newSession(client);
    expect(await streamOf(stack, id)).to.deep.equal([
      'SessionRequested',
      'SessionReady',
      'EgressCapabilitiesReported',
      'OperationClaimed',
      'SessionDestroyed',
    ]);
    await until(() => reached(id, 'close').length === 1);
  });

  it('settles a create that was cut off, for the retry with its key, as one session or none', async () => {
    const client = await newClient(stack);
    const create = () =>
      client.call('POST /v1/sessions', { label: 'once' }, { 'idempotency-key': 'the-same' });
    const cutOff = create().catch(() => undefined);
    await stack.kill('write-api');
    await cutOff;
    await stack.ready();
    const answer = await until(
      async () => {
        const again = await create();
        return again.status === 409 ? undefined : again;
      },
      { limitMs: 30_000, everyMs: 100 },
    );
    const sessions = await listed(client);
    if (answer.status === 201) expect(sessions.map(({ id }) => id)).to.deep.equal([answer.json.id]);
    expect(sessions.length).to.be.at.most(1);
    for (const { id } of sessions) expect(reached(id, 'launch').length).to.be.at.most(1);
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
      await until(() => operations > before + 40 && 'projector' in stack.processes, { limitMs: 20_000 });
      await stack.kill('projector');
    }
    working = false;
    await Promise.all(load);
    await stack.ready();
    await Promise.all(ids.map((id) => client.call(`DELETE /v1/sessions/${id}`)));

    expect((await listed(client)).map(({ status }) => status)).to.deep.equal(ids.map(() => 'destroyed'));
    for (const { name } of projections) {
      const { status, stderr } = await stack.service('projections', 'verify', name);
      expect(status, `${name}: ${stderr}`).to.equal(0);
    }
    expect(await auditStatus(stack, client)).to.equal(0);
  });

  it('finds every session, event and key again after it was stopped and started', async () => {
    const client = await newClient(stack);
    const [ended, live] = [await newSession(client), await newSession(client)];
    await client.call(`DELETE /v1/sessions/${ended}`);
    const before = { ended: await streamOf(stack, ended), live: await streamOf(stack, live) };
    expect(await stack.stop()).to.equal(0);
    stack = await start({ dataDir: stack.dataDir });
    const again = connect(stack, client.account);

    expect((await listed(again)).map(({ id }) => id)).to.have.members([ended, live]);
    expect(await streamOf(stack, ended)).to.deep.equal(before.ended);
    await until(async () => (await statusOf(again, live)) === 'errored', { limitMs: 30_000, everyMs: 100 });
    expect(await streamOf(stack, live)).to.deep.equal([...before.live, 'SessionErrored']);
    await newSession(again);
    expect(await auditStatus(stack, client)).to.equal(0);
  });

  it('finds them again after every process was killed at once', async () => {
    const client = await newClient(stack);
    const ids = [await newSession(client), await newSession(client)];
    for (const pid of Object.values(stack.processes)) process.kill(pid, 'SIGKILL');
    await stack.stop();
    stack = await start({ dataDir: stack.dataDir });
    const again = connect(stack, client.account);

    expect((await listed(again)).map(({ id }) => id)).to.have.members(ids);
    await newSession(again);
    expect(await auditStatus(stack, client)).to.equal(0);
  });
});
