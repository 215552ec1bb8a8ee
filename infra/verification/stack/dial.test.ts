import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { caller } from '../../http/testing.ts';
import { readStack } from '../../main/supervisor/stack-file.ts';
import { freePort } from '../../platform/free-port.ts';
import { startBalancer, type Balancer } from '../testbed/balancer.ts';
import {
  startStack,
  startTcpProxy,
  tempDir,
  until,
  type TcpProxy,
  type TestStack,
} from '../testbed/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const inTime = { limitMs: 60_000, everyMs: 50 };

describe('a node that dials the control plane, of two processes behind a balancer', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let second: ChildProcess;
  let balancer: Balancer;
  let proxies: readonly TcpProxy[];
  let ports: readonly number[];
  let nodePort: number;
  let token: string;

  const secrets = () =>
    JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Readonly<Record<string, string>>;
  /** Sends a request to one of the write-api processes, or to the gateway. */
  const asked = (port: number | undefined, endpoint: string, body?: object) =>
    caller(Number(port ?? new URL(stack.baseUrl).port))(endpoint, { token, ...(body && { body }) });
  async function call(port: number | undefined, endpoint: string, body?: object) {
    const { status, text, json } = await asked(port, endpoint, body);
    expect(status, text).to.be.below(300);
    return json;
  }
  const create = async (port?: number) => String((await call(port, 'POST /v1/sessions', {})).id);
  const visit = (id: string, port?: number) =>
    call(port, `POST /v1/sessions/${id}/navigate`, { url: 'http://sim.test/' });
  /** Whether the process on this port has a tunnel. */
  const isReached = async (port: number): Promise<boolean> => {
    const headers = { authorization: `Bearer ${secrets().METRICS_TOKEN}` };
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
    return /^service_fleet_tunnels(\{.*\})? 1$/m.test(text);
  };
  const bothReached = () =>
    until(async () => (await Promise.all(ports.map(isReached))).every(Boolean), inTime);

  /** A second write-api of the stack. */
  function startSecond(): ChildProcess {
    const environment = { ...secrets(), ...readStack(stack.dataDir)?.environment };
    const own = { DATA_DIR: tempDir('second'), WRITE_PORT: String(ports[1]), DRIVER: 'simulated' };
    return spawn(process.execPath, ['infra/main/run.mjs', 'role', 'write-api'], {
      ...{ cwd: root, env: { ...process.env, ...environment, ...own }, stdio: 'ignore' },
    });
  }
  const kill = async (child: ChildProcess) => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  before(async () => {
    [ports, nodePort] = [[await freePort(), await freePort()], await freePort()];
    proxies = await Promise.all(ports.map((port) => startTcpProxy({ host: '127.0.0.1', port })));
    balancer = await startBalancer(proxies);
    stack = await startStack({
      limitMs: 120_000,
      env: {
        ...{ NODE_CONNECT: 'dial', NODE_PORT: String(nodePort), NODE_LOST_AFTER: '6s' },
        ...{ WRITE_PORT: String(ports[0]), WRITE_URL: balancer.url },
      },
    });
    token = (await stack.account()).api_key;
    second = startSecond();
    await bothReached();
  });
  after(async () => {
    await kill(second);
    await stack.stop();
    await balancer.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  it('listens nowhere, and is operated by either process', async () => {
    const refused = once(connect({ port: nodePort, host: '127.0.0.1' }), 'connect').catch(
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    expect(await refused).to.equal('ECONNREFUSED');
    const id = await create(ports[0]);
    await visit(id, ports[1]);
    await visit(id, ports[0]);
    await call(ports[1], `DELETE /v1/sessions/${id}`);
    const { stdout } = await stack.service('doctor', '--json');
    const parts = JSON.parse(stdout) as { part: string; says: string }[];
    expect(parts.find(({ part }) => part === 'session')?.says).to.match(/^opened and closed on nod_/);
  });

  it('keeps its sessions when its connections are cut, and when a process of either kind is killed', async () => {
    const id = await create();
    for (const proxy of proxies) proxy.cut();
    await bothReached();
    for (const port of ports) await visit(id, port);
    await kill(second);
    await visit(id, ports[0]);
    second = startSecond();
    await bothReached();
    await visit(id, ports[1]);
    await stack.kill('write-api');
    await visit(id, ports[1]);
    await bothReached();
    await visit(id, ports[0]);
    await call(ports[1], `DELETE /v1/sessions/${id}`);
  });

  it('loses its sessions when it is killed, and is there again', async () => {
    const id = await create();
    await stack.kill('node');
    await until(
      async () => (await asked(undefined, `GET /v1/sessions/${id}`)).json.status === 'errored',
      inTime,
    );
    await bothReached();
    await visit(await create(ports[0]), ports[1]);
  });

  it('counts as silent when its network is gone: creations are refused early, sessions end', async () => {
    const id = await create();
    for (const proxy of proxies) proxy.refuse();
    for (const proxy of proxies) proxy.cut();
    const startedAt = performance.now();
    const { status, json } = await asked(ports[0], 'POST /v1/sessions', {});
    expect([503, 504], JSON.stringify(json)).to.include(status);
    expect(performance.now() - startedAt).to.be.below(15_000);
    await until(async () => {
      const { json: session } = await caller(Number(new URL(stack.readUrl).port))(`GET /v1/sessions/${id}`, {
        token,
      });
      return session.status === 'errored';
    }, inTime);
    for (const proxy of proxies) await proxy.heal();
    // It takes new ones with its next heartbeat.
    const next = await until(async () => (await asked(ports[1], 'POST /v1/sessions', {})).json.id, inTime);
    await visit(String(next), ports[0]);
  });
});
