import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { containerPackages, ensureDebianPackages } from '../../main/bootstrap/debian-packages.mjs';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { msOf, oursIn, prepareIn, readCompose } from '../testing/compose.ts';
import { argumentsOf, podmanIn } from './testing/podman.ts';
import { relayOfContainer, startStores, type Stores } from './testing/stores.ts';

const megabyte = 1_000_000;
const inTime = { limitMs: 120_000, everyMs: 500 };

/** Prints the capabilities of a container's process 1, and which paths of `/proc` are masked. */
const confinement = `
  const { readFileSync, writeFileSync } = require('node:fs');
  const status = readFileSync('/proc/1/status', 'utf8');
  const field = (name) => new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm').exec(status)[1];
  const attempt = (path) => { try { writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; } };
  const covered = readFileSync('/proc/1/mountinfo', 'utf8').match(/ \\/proc\\/\\S+ /g) ?? [];
  console.log(JSON.stringify({
    uid: field('Uid'), privileges: Number('0x' + field('CapBnd')), noNewPrivileges: field('NoNewPrivs'),
    filtersCalls: field('Seccomp'), root: attempt('/opt/service/x'), isCovered: covered.length > 0,
  }));`;

/** A page that counts its visits in the browser's storage. */
const site = `
  require('node:http').createServer((asked, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' });
    answer.end('<title>Counter</title><h1></h1><script>localStorage.count = Number(localStorage.count ?? 0) + 1; document.querySelector("h1").textContent = "visit " + localStorage.count</script>');
  }).listen(8000);`;

describe('the images, as compose runs them', function () {
  this.timeout(1_200_000);
  const compose = readCompose();
  const ours = oursIn(compose);
  const roles = ours.filter(([, { command }]) => command?.[0] === 'role');
  const nodes = roles.filter(([name]) => name.startsWith('node'));
  const podman = podmanIn(tempDir('podman'));
  const secrets = join(prepareIn(tempDir('compose')), 'secrets');
  let stores: Stores | undefined;
  let call: (target: string, body?: object) => Promise<Record<string, unknown>>;

  after(async () => {
    await podman.stop();
    await stores?.stop();
  });

  const addressOf = (name: string, network: string) =>
    podman.run('inspect', '--format', `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`, name);
  const inside = async (name: string, script: string) =>
    JSON.parse(await podman.run('exec', name, 'node', '-e', script)) as unknown;

  before(function () {
    const missing = ensureDebianPackages(containerPackages);
    if (process.getuid?.() !== 0 || missing.length > 0)
      throw new Error(
        `This is for root, with Debian's packages ${Object.keys(containerPackages).join(' ')}.`,
      );
  });

  it('are built, and no larger than they have to be', async () => {
    const sizes = { service: 250 * megabyte, node: 900 * megabyte };
    for (const target of ['service', 'node'] as const) {
      await promisify(execFile)(join(import.meta.dirname, 'build.sh'), [target], {
        env: podman.environment,
        maxBuffer: 64 * 1024 * 1024,
      });
      const name = target === 'service' ? 'localhost/service' : 'localhost/service-node';
      const size = Number(await podman.run('image', 'inspect', '--format', '{{.Size}}', name));
      process.stdout.write(`      ${target}: ${Math.round(size / megabyte)} MB\n`);
      expect(size, target).to.be.at.most(sizes[target]);
    }
  });

  it('start, and are healthy', async () => {
    stores = await startStores(secrets);
    writeFileSync(join(secrets, 'AWS_SHARED_CREDENTIALS'), stores.credentials);
    for (const [network, settings] of Object.entries(compose.networks))
      await podman.run('network', 'create', ...(settings?.internal ? ['--internal'] : []), network);
    const aliases = ['event-store', 'postgres', 'redis', 'object-store'].map((name) => `alias=${name}`);
    const asNode = ['--entrypoint', 'node', 'localhost/service', '-e'];
    const between = ['--user', '0', '--volume', `${stores.sockets}:/stores`];
    await podman.run(
      'run',
      '-d',
      '--network',
      `stores:${aliases.join()}`,
      ...between,
      ...asNode,
      relayOfContainer,
    );
    await podman.run('run', '-d', '--name', 'site', '--network', 'outside:alias=site', ...asNode, site);

    const told = { OUTBOUND_ALLOW: `${await addressOf('site', 'outside')}/32` };
    for (const [name, service] of ours) {
      const isJob = name === 'migrate';
      await podman.run('run', isJob ? '--rm' : '-d', ...argumentsOf(name, service, { secrets, told }));
    }
    for (const [name, { healthcheck }] of roles) {
      const [, ...check] = healthcheck?.test ?? [];
      await until(async () => (await podman.run('exec', name, ...check)) === '', inTime);
    }
  });

  it('run as nobody in particular, with nothing to write to; /proc is open where browsers are, and there alone', async () => {
    const expected = { uid: '10001', privileges: 0, noNewPrivileges: '1', filtersCalls: '2', root: 'EROFS' };
    for (const [name] of roles)
      expect(await inside(name, confinement), name).to.deep.equal({
        ...expected,
        isCovered: !nodes.some(([node]) => node === name),
      });
  });

  const commanded = async (...args: string[]): Promise<unknown> =>
    JSON.parse(
      await podman.run('exec', 'worker', 'node', 'infra/main/run.mjs', 'command', ...args, '--json'),
    );

  it('have a doctor that asks the object store', async () => {
    const parts = (await until(() => commanded('doctor', '--without-session'), inTime)) as Readonly<
      Record<string, string>
    >[];
    expect(parts.find(({ part }) => part === 'blobs')).to.include({
      state: 'well',
      says: 'writes and reads (s3)',
    });
  });

  it('let the operator make an account, and a customer browse, whose profile is kept in the object store', async () => {
    const account = (await commanded(
      ...['account', 'create', '--first', '--email', 'you@example.com', '--tier', 'enterprise'],
    )) as { api_key: string };
    const base = `http://${await addressOf('gateway', 'front')}:8080`;
    call = async (target, body) => {
      const [method = '', path = ''] = target.split(' ');
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect(answer.ok, `${target}: ${answer.status} ${text}`).to.equal(true);
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    };
    const { id: profile } = await call('POST /v1/profiles', { name: 'kept' });
    const visit = async () => {
      const { id } = await until(() => call(`POST /v1/profiles/${String(profile)}/launch`, {}), inTime);
      await call(`POST /v1/sessions/${String(id)}/navigate`, { url: 'http://site:8000/' });
      const seen = await call(`GET /v1/sessions/${String(id)}/observation`);
      await call(`DELETE /v1/sessions/${String(id)}`);
      await until(
        async () => (await call(`GET /v1/profiles/${String(profile)}`)).save_state === 'saved',
        inTime,
      );
      return JSON.stringify(seen);
    };
    expect(await visit()).to.include('visit 1');
    expect(await visit()).to.include('visit 2');
    for (const [name] of nodes) expect(await podman.run('logs', name)).not.to.include('WITHOUT namespaces');
  });

  it('stop in order within their time', async () => {
    for (const [name, { stop_grace_period: grace }] of [...roles].reverse()) {
      await podman.run('stop', '--time', String(msOf(grace) / 1000), name);
      expect(await podman.run('inspect', '--format', '{{.State.ExitCode}}', name), name).to.equal('0');
    }
  });
});
