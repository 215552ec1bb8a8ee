import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as dial, type Socket } from 'node:net';
import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { startStack, until, type TestStack } from '../testbed/index.ts';
import { connect, newClient, type Client } from './client.ts';
import { shortened } from './world.ts';

async function streamOf(stack: TestStack, id: SessionId): Promise<string[]> {
  const { stdout } = await stack.service('events', 'read', `session-${uuidOf(id)}`, '--json');
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { type: string }).type);
}

const auditStatus = async (stack: TestStack, { account }: Client): Promise<number> =>
  (await stack.service('audit', 'verify', '--account', account.account_id)).status;

/** Consecutive operations on each session, until stopped or until the service is down. */
function load({ wait }: Client, ids: readonly SessionId[], body?: object) {
  const statuses: number[] = [];
  let working = true;
  const loops = ids.map(async (id) => {
    for (let status; working && status !== 'broken';) {
      status = await wait(id, body);
      if (status !== 'broken') statuses.push(status);
    }
  });
  return {
    statuses,
    ended: () => Promise.all(loops),
    end: () => {
      working = false;
      return Promise.all(loops);
    },
  };
}

describe('A stack that ends and starts again', () => {
  let stack: TestStack;
  const env = { ...shortened, NODE_LOST_AFTER: '2s' };

  before(async () => {
    stack = await startStack({ env });
  });
  after(() => stack.stop());

  it('leaves every read model equal to the log when the projector is killed under load, again and again', async () => {
    const client = await newClient(stack);
    const ids = await Promise.all(Array.from({ length: 8 }, () => client.create()));
    const { statuses, end } = load(client, ids);
    for (let kills = 0; kills < 3; kills += 1) {
      const before = statuses.length;
      await until(() => statuses.length > before + 40 && 'projector' in stack.processes, { limitMs: 20_000 });
      await stack.kill('projector');
    }
    await end();
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    await stack.ready();
    await Promise.all(ids.map((id) => client.call(`DELETE /v1/sessions/${id}`)));

    expect((await client.listed()).map(({ status }) => status)).to.deep.equal(ids.map(() => 'destroyed'));
    const { status, stdout } = await stack.service('projections', 'verify');
    expect(status, stdout).to.equal(0);
    expect(await auditStatus(stack, client)).to.equal(0);
  });

  it('finishes accepted work when it is stopped under load, exits with 0, and finds everything again', async () => {
    const client = await newClient(stack);
    const [ended, live] = [await client.create(), await client.create()];
    await client.call(`DELETE /v1/sessions/${ended}`);
    const before = { ended: await streamOf(stack, ended), live: await streamOf(stack, live) };
    const busy = await Promise.all(Array.from({ length: 8 }, () => client.create()));
    const { statuses, ended: left } = load(client, busy, { condition: { kind: 'delay', ms: 20 } });
    await until(() => statuses.length > 40, { limitMs: 20_000 });
    expect(await stack.stop()).to.equal(0);
    await left();
    expect(new Set(statuses)).to.deep.equal(new Set([200]));

    stack = await startStack({ env, dataDir: stack.dataDir });
    const again = connect(stack, client.account);
    expect((await again.listed()).map(({ id }) => id)).to.have.members([ended, live, ...busy]);
    expect(await streamOf(stack, ended)).to.deep.equal(before.ended);
    await until(
      async () => (await again.listed()).every(({ status }) => ['errored', 'destroyed'].includes(status)),
      {
        limitMs: 30_000,
        everyMs: 100,
      },
    );
    expect(await streamOf(stack, live)).to.deep.equal([...before.live, 'SessionErrored']);
    await again.create();
    expect(await auditStatus(stack, client)).to.equal(0);
  });

  it('finds them again after every process was killed at once', async () => {
    const client = await newClient(stack);
    const ids = [await client.create(), await client.create()];
    for (const pid of Object.values(stack.processes)) process.kill(pid, 'SIGKILL');
    await stack.stop();
    stack = await startStack({ env, dataDir: stack.dataDir });
    const again = connect(stack, client.account);

    expect((await again.listed()).map(({ id }) => id)).to.have.members(ids);
    await again.create();
    expect(await auditStatus(stack, client)).to.equal(0);
  });

  it('exits at once on a second signal while it stops, and leaves no process behind', async () => {
    const request = await unfinishedRequest(stack);
    const processes = Object.values(stack.processes);
    process.kill(stack.processes.supervisor ?? NaN, 'SIGTERM');
    // The gateway waits for the running request.
    await until(() =>
      fetch(`${stack.baseUrl}/readyz`).then(
        ({ ok }) => !ok,
        () => true,
      ),
    );
    const startedAt = performance.now();
    expect(await stack.stop()).to.equal(1);
    expect(performance.now() - startedAt).to.be.below(5_000);
    await until(() => !processes.some(runs), { limitMs: 30_000, everyMs: 50 });
    request.destroy();
  });
});

/** A request that the gateway has begun to forward, and whose body never arrives. */
async function unfinishedRequest(stack: TestStack): Promise<Socket> {
  const socket = dial(Number(new URL(stack.baseUrl).port), '127.0.0.1').on('error', () => undefined);
  socket.write('POST /v1/sessions HTTP/1.1\r\nHost: it\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** A process that has exited has no command line, even if its parent has not collected its status. */
function runs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
