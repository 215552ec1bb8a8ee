import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '../../platform/free-port.ts';
import { joinByMedia } from '../live-view/media-participant.ts';
import { PictureParticipant, type VideoBlock } from '../live-view/picture-participant.ts';
import { tempDir, until } from '../testbed/index.ts';
import { runService } from '../testbed/service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A supervisor with some roles, and its output so far. */
function startMachine(roles: string, environment: Readonly<Record<string, string>>) {
  const dataDir = tempDir('machine');
  const env = { ...process.env, DRIVER: 'simulated', DATA_DIR: dataDir, ...environment };
  const supervisor = spawn(process.execPath, ['infra/main/run.mjs', 'supervisor', '--roles', roles], {
    ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let said = '';
  for (const output of [supervisor.stdout, supervisor.stderr])
    output.on('data', (text: Buffer) => (said += text.toString()));
  return { dataDir, supervisor, env, said: () => said };
}

const ended = async (supervisor: ChildProcess) => {
  if (supervisor.exitCode !== null) return;
  supervisor.kill('SIGTERM');
  await once(supervisor, 'exit');
};

const secretsOf = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Readonly<Record<string, string>>;

const everythingElse = 'projector,read-api,write-api,processes,worker,gateway';
const portNames = [
  ...['PORT', 'WRITE_PORT', 'READ_PORT', 'PROJECTOR_PORT', 'PROCESSES_PORT', 'WORKER_PORT'],
  ...['NODE_PORT', 'NODE_HEALTH_PORT'],
];
const freePorts = async () =>
  Object.fromEntries(
    await Promise.all(portNames.map(async (name) => [name, String(await freePort())] as const)),
  );

describe('two machines that authenticate each other by certificates', function () {
  this.timeout(180_000);
  const started: ChildProcess[] = [];
  const seconds: ReturnType<typeof startMachine>[] = [];
  const authority = tempDir('authority');
  const certificates = (...args: readonly string[]) =>
    runService(['certificates', ...args, '--json'], process.env);
  let first: ReturnType<typeof startMachine>;
  let ports: Readonly<Record<string, string>>;

  let id: string;
  const base = () => `http://127.0.0.1:${ports.PORT}`;
  /** Sends a request of the first account. */
  const asked = (method: string, path: string): Promise<Response> => {
    const [, key = ''] = /API key\s+(\S+)/.exec(first.said()) ?? [];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return fetch(`${base()}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
  };
  async function call(method: string, path: string): Promise<Record<string, unknown>> {
    const answer = await asked(method, path);
    const text = await answer.text();
    expect(answer.status, text).to.be.below(300);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  }

  async function certified(name: string): Promise<string> {
    const out = join(authority, name);
    const issue = ['issue', '--authority', authority, '--out', out, '--name', name];
    const { status, stderr } = await certificates(...issue, '--host', `${name}.example, 127.0.0.1`);
    expect(status, stderr).to.equal(0);
    return out;
  }

  before(async () => {
    expect((await certificates('init', '--authority', authority)).status).to.equal(0);
    ports = await freePorts();
    first = startMachine(everythingElse, { ...ports, FLEET_TLS: await certified('first') });
    started.push(first.supervisor);
  });
  after(() => Promise.all(started.map(ended)));

  it('serves all but browsers before a node has registered, and prints the key of the first account', async () => {
    await until(() => /API key\s+(\S+)/.exec(first.said()), { limitMs: 120_000 });
    expect(first.said()).to.include('all processes are ready');
    const ready = await fetch(`http://127.0.0.1:${ports.PORT}/readyz`);
    expect(ready.status).to.equal(200);
    expect((await asked('POST', '/v1/sessions')).status).to.equal(503);
  });

  it('runs a browser on the other one, which has no store and no key of the installation', async () => {
    const { NODE_JOIN_TOKEN = '' } = secretsOf(first.dataDir);
    const second = startMachine('node', {
      ...(await freePorts()),
      ...{ WRITE_URL: `https://127.0.0.1:${ports.WRITE_PORT}`, NODE_JOIN_TOKEN, NODE_NAME: 'second' },
      ...{ FLEET_TLS: await certified('second'), DRIVER: 'webkit', BASE_URL: base() },
    });
    seconds.push(second);
    started.push(second.supervisor);
    await until(() => second.said().includes('all processes are ready'), { limitMs: 120_000 });
    id = String((await call('POST', '/v1/sessions')).id);
    expect((await call('GET', `/v1/sessions/${id}`)).status).to.equal('ready');
    expect(existsSync(join(second.dataDir, 'postgres'))).to.equal(false);
    expect(existsSync(join(second.dataDir, 'event-store'))).to.equal(false);
    expect(Object.keys(secretsOf(second.dataDir))).to.deep.equal(['METRICS_TOKEN']);
    const listed = async () => {
      const { stdout } = await runService(['nodes', 'list', '--json'], first.env);
      return JSON.parse(stdout) as { name: string; live: boolean; sessions: number; url: string }[];
    };
    // A node reports its sessions with its next heartbeat.
    await until(async () => (await listed()).some(({ sessions }) => sessions === 1), { limitMs: 30_000 });
    const nodes = await listed();
    expect(nodes.map(({ name, live, sessions }) => ({ name, live, sessions }))).to.deep.equal([
      { name: 'second', live: true, sessions: 1 },
    ]);
    expect(nodes[0]?.url).to.match(/^https:/);
  });

  it('shows that browser to people through the gateway of the first, by media and by pictures', async () => {
    const watched = await call('POST', `/v1/sessions/${id}/video-token`);
    expect(watched.ws_url).to.equal(`${base().replace('http', 'ws')}/video`);
    const pictures = await PictureParticipant.join(watched);
    await until(() => pictures.pictures.length > 0, { limitMs: 60_000 });
    expect(pictures.pictures[0]?.readUInt16BE(0), 'JPEG').to.equal(0xffd8);
    const media = await joinByMedia(watched as unknown as VideoBlock);
    expect(await pictures.closed(), 'the place is taken by the newer join').to.equal(4000);
    await media.leave();
    await call('DELETE', `/v1/sessions/${id}`);
    const late = new PictureParticipant(watched as unknown as VideoBlock);
    expect(await late.status()).to.equal(404);
  });

  it('passes its doctor, which reports what is wrong, and what to do about it', async () => {
    const examine = async () => {
      const { status, stdout, stderr } = await runService(['doctor', '--json'], first.env);
      const parts = JSON.parse(stdout) as { part: string; state: string; says: string; advice?: string }[];
      return { status, stderr, parts, of: (part: string) => parts.find((each) => each.part === part) };
    };
    const healthy = await examine();
    expect(healthy.parts.filter(({ state }) => state !== 'well').map(({ part }) => part)).to.deep.equal([
      'mail',
    ]);
    expect([healthy.status, healthy.stderr]).to.deep.equal([0, '']);
    expect(healthy.of('session')?.says).to.match(/^opened and closed on nod_/);
    expect(healthy.of('processes')?.says).to.equal('6 roles, all ready');
    expect(healthy.of('certificates')?.says).to.equal('valid for 89 days');
    const metrics = await (await fetch(`${base()}/metrics`)).text();
    const [, end] = /^service_certificate_expiry_timestamp_seconds\{.*\} (\d+)$/m.exec(metrics) ?? [];
    expect((Number(end) - Date.now() / 1000) / (24 * 3_600)).to.be.within(89, 90);
    for (const { supervisor } of seconds) await ended(supervisor);
    const { status, of } = await until(
      async () => {
        const sick = await examine();
        return sick.of('nodes')?.state === 'ill' && sick;
      },
      { limitMs: 60_000 },
    );
    expect([status, of('session')?.state, of('projections')?.state]).to.deep.equal([1, 'ill', 'well']);
    expect(of('nodes')?.advice).to.include('--roles node');
    expect(of('processes')?.state).to.equal('well');
  });

  it('serves no one without a certificate on the addresses between them', async () => {
    await Promise.all(
      [ports.WRITE_PORT, ports.READ_PORT].map(async (port) => {
        const clear = await fetch(`http://127.0.0.1:${port}/v1/archetypes`).catch((error: unknown) => error);
        expect(clear).to.be.instanceOf(TypeError);
      }),
    );
  });

  it('is warned before anything starts that others could listen in, and of what a node lacks', async () => {
    const open = startMachine(everythingElse, { ...ports, INTERNAL_HOST: '0.0.0.0' });
    started.push(open.supervisor);
    await once(open.supervisor, 'exit');
    expect(open.said()).to.include('INTERNAL_HOST is 0.0.0.0').and.include('FLEET_TLS');
    const alone = startMachine('node', { ...(await freePorts()), NODE_JOIN_TOKEN: '' });
    started.push(alone.supervisor);
    await once(alone.supervisor, 'exit');
    expect(alone.said()).to.include('NODE_JOIN_TOKEN is not set');
  });
});
