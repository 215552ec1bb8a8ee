import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '../../config/index.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { writeStack } from '../supervisor/stack-file.ts';
import { examine } from './index.ts';
import { openPatient } from './patient.ts';
import { blobs } from './stores.ts';

describe('the check of blobs', () => {
  const check = async (variables: Readonly<Record<string, string>>) => {
    const patient = openPatient(loadConfig(variables), undefined);
    try {
      return await blobs(patient);
    } finally {
      await patient.lifetime.close();
    }
  };

  it('leaves nothing behind: neither a blob nor a directory that was not there', async () => {
    const dataDir = tempDir('checked');
    const named = { BLOB_URL: pathToFileURL(join(dataDir, 'not/made/yet')).href };
    for (const variables of [{}, named]) {
      await check({ DATA_DIR: dataDir, ...variables });
      expect(readdirSync(dataDir)).to.deep.equal([]);
    }
    mkdirSync(join(dataDir, 'blobs'));
    await check({ DATA_DIR: dataDir });
    expect(readdirSync(dataDir, { recursive: true })).to.deep.equal(['blobs']);
  });

  it('doubts a directory that nobody named where no stack runs: roles may have an object store', async () => {
    const dataDir = tempDir('checked');
    expect(await check({ DATA_DIR: dataDir })).to.include({ state: 'doubtful' });
    expect(await check({ BLOB_URL: pathToFileURL(dataDir).href })).to.include({ state: 'well' });
  });

  it('fails where the directory could not be made', async () => {
    const file = join(tempDir('checked'), 'file');
    writeFileSync(file, '');
    const failure = await check({ BLOB_URL: pathToFileURL(join(file, 'blobs')).href }).catch(String);
    expect(failure).to.include('The blob directory');
  });
});

describe('the doctor of an installation that does not answer', function () {
  this.timeout(60_000);
  const hanging: Server[] = [];
  const sockets: Socket[] = [];
  after(() => {
    sockets.forEach((socket) => socket.destroy());
    hanging.forEach((server) => server.close());
  });

  const environment = (places: { readonly host: string; readonly dataDir: string }) => ({
    DATA_DIR: places.dataDir,
    EVENTSTORE_URL: `esdb://admin:hidden-password@${places.host}?tls=false`,
    POSTGRES_URL: `postgres://service:hidden-password@${places.host}/postgres`,
    QUEUE_URL: `redis://:hidden-password@${places.host}`,
    SMTP_URL: `smtp://name:hidden-password@${places.host}`,
    MAIL_FROM: 'service@example.com',
    BLOB_URL: `s3://bucket?endpoint=http://${places.host}`,
    FLEET_TLS: `${places.dataDir}/nothing`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'hidden-password',
  });

  const findings = async (host: string, dataDir: string) => {
    const began = performance.now();
    const parts = await examine(loadConfig(environment({ host, dataDir })), undefined);
    const state = Object.fromEntries(parts.map((part) => [part.part, part.state]));
    return { parts, state, seconds: (performance.now() - began) / 1000 };
  };
  const ill = [
    ...['event store', 'Postgres', 'queue', 'blobs', 'clock', 'certificates', 'projections', 'parked'],
    ...['audit heads', 'nodes', 'session', 'mail', 'webhooks'],
  ];

  it('names every part that refuses connections, says what to check, and shows no password', async () => {
    const { parts, state } = await findings('127.0.0.1:1', tempDir('sick'));
    for (const part of ill) expect(state[part], part).to.equal('ill');
    for (const part of ['ports', 'processes']) expect(state[part], part).to.equal('unchecked');
    for (const { advice, says, state: found } of parts) {
      expect(says).not.to.equal('');
      if (found === 'doubtful' || found === 'ill') expect(advice).to.be.a('string').that.is.not.empty;
    }
    expect(JSON.stringify(parts)).not.to.include('hidden-password');
  });

  it('ends, like its command, if every store accepts connections but never answers', async () => {
    const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    hanging.push(server);
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { state } = await findings(host, `${tempDir('sick')}/missing`);
    for (const part of [...ill, 'disk']) expect(state[part], part).to.equal('ill');
    const { status, stdout, stderr } = await runService(['doctor'], {
      ...process.env,
      ...environment({ host, dataDir: tempDir('sick') }),
    });
    expect([status, stderr]).to.deep.equal([1, '']);
    expect(stdout)
      .to.match(/^✓ {2}configuration /)
      .and.to.match(/^✗ {2}Postgres /m);
  });

  it('reports errors in the configuration, and a service that is not running', async () => {
    const run = async (variables: Readonly<Record<string, string>>) =>
      runService(['doctor'], { ...process.env, DATA_DIR: tempDir('sick'), ...variables });
    const wrong = await run({ PORT: 'eighty' });
    expect([wrong.status, wrong.stdout]).to.deep.equal([1, wrong.stdout]);
    expect(wrong.stdout).to.match(/^✗ {2}configuration .*PORT got "eighty"/);
    const nothing = await run({});
    expect(nothing.status).to.equal(1);
    expect(nothing.stdout).to.include('no service is running on').and.to.include('npm start');
  });
});

describe('the doctor, about the configuration', function () {
  this.timeout(60_000);
  const dataDir = tempDir('running');
  const run = fileURLToPath(new URL('../run.mjs', import.meta.url));
  const configuration = async (variables: Readonly<Record<string, string>>) => {
    const { stdout } = await runService(['doctor', '--json'], {
      ...process.env,
      DATA_DIR: dataDir,
      ...variables,
    });
    const [part] = JSON.parse(stdout) as { part: string; state: string; says: string; advice?: string }[];
    return part;
  };

  it('names what is set for it, and not for the running service, until that is restarted', async () => {
    const file = join(dataDir, 'server');
    writeFileSync(file, 'smtp://name:hidden-password@mail.example');
    const env = { DATA_DIR: dataDir, SMTP_URL_FILE: file };
    const supervisor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', run, 'supervisor'], {
      env,
    });
    try {
      await once(supervisor, 'spawn');
      const url = 'http://127.0.0.1:1';
      writeStack(dataDir, {
        ...{ ready: true, base_url: url, write_url: url, read_url: url, environment: {} },
        processes: { supervisor: Number(supervisor.pid) },
      });
      const same = { SMTP_URL: 'smtp://name:hidden-password@mail.example' };
      expect(await configuration(same)).to.include({ part: 'configuration', state: 'well' });
      const other = { SMTP_URL: 'smtp://name:other-password@mail.example', LLM_API_KEY: 'hidden-key' };
      const found = await configuration(other);
      expect(found).to.include({ part: 'configuration', state: 'doubtful' });
      expect(found?.says).to.match(
        /started without what is set here: (SMTP_URL, LLM_API_KEY|LLM_API_KEY, SMTP_URL)$/,
      );
      expect(found?.advice).to.match(/^Restart the service/);
      expect(JSON.stringify(found)).not.to.match(/password|hidden/);
    } finally {
      supervisor.kill('SIGKILL');
    }
    expect(await configuration({ SMTP_URL: 'smtp://mail.example' })).to.include({ state: 'well' });
  });
});
