import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assignments } from '../../deploy/testing/environment.ts';
import type { Client } from '../faults/client.ts';
import { tempDir, until, type UntilOptions } from '../testbed/index.ts';

type Calling = Pick<Client, 'call'>;

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const inTime = { limitMs: 60_000, everyMs: 100 };
const run = promisify(execFile);

/** Blocks of a section of the deployment documentation, up to the next heading; those of a shell by default. */
export function blocksOf(heading: string, language = 'sh'): readonly string[] {
  const document = readFileSync(join(root, 'docs/deployment.md'), 'utf8');
  const [, section = ''] = document.split(new RegExp(`^##+ ${heading}\\n`, 'm'));
  const blocks = new RegExp(`\`\`\`${language}\\n(.+?)\`\`\``, 'gs');
  return [...(section.split(/\n##/)[0]?.matchAll(blocks) ?? [])].map(([, block = '']) => block);
}

/** Replacements for programs of a real machine: systemd, the service's command, and the switch to the unit's user. */
const programs = {
  systemctl: `[ "$*" != 'start service-backup' ] || exec ${root}infra/deploy/systemd/backup.sh`,
  'service-command': `exec ${root}infra/deploy/systemd/service-command.sh "$@"`,
  setpriv: 'while [ "$1" != node ]; do shift; done\nexec "$@"',
};

export type Machine = ReturnType<typeof newMachine>;

/** An empty machine: directories for the documented paths, and the directory of the backups. */
export function newMachine(backups: string) {
  const disk = tempDir('machine');
  const [dataDir, etc, bin] = [join(disk, 'data'), join(disk, 'etc'), join(disk, 'bin')];
  const units = join(disk, 'units');
  for (const directory of [dataDir, etc, bin, units]) mkdirSync(directory);
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const moved = (text: string) =>
    text
      .replaceAll('/var/lib/service', dataDir)
      .replaceAll('/var/backups/service', backups)
      .replaceAll('/etc/service', etc)
      .replaceAll('/etc/systemd/system', units);
  const places = {
    ...{ SERVICE_ETC: etc, SERVICE_UNITS: units, SERVICE_STATE: dataDir, SERVICE_BACKUPS: backups },
    ...{ SERVICE_ROOT: root, DATA_DIR: dataDir, PATH: `${bin}:${process.env.PATH}` },
  };
  return {
    disk,
    dataDir,
    etc,
    units,
    /** Runs a documented block unchanged, except for its paths. */
    run: (block: string, environment: Readonly<Record<string, string | undefined>> = {}) =>
      run('sh', ['-euc', moved(block)], { env: { ...process.env, ...places, ...environment } }),
    /** Environment as the systemd unit passes it on. */
    environment: () => ({
      ...assignments(readFileSync(join(etc, 'service.env'), 'utf8')),
      ...Object.fromEntries(
        readdirSync(join(etc, 'secrets')).map((name) => [`${name}_FILE`, join(etc, 'secrets', name)]),
      ),
    }),
  };
}

/** Answers to a customer's reads of all their resources, including sealed texts. */
export async function readBy(
  { call }: Calling,
  limit: UntilOptions = inTime,
): Promise<Readonly<Record<string, string>>> {
  const paths = ['/v1/account/me', '/v1/sessions', '/v1/profiles', '/v1/webhooks', '/v1/agent-sessions'];
  const read = async (path: string) => {
    // Retries as any client does: while read models are made, the service answers 503 or what it has so far.
    const text = await until(async () => {
      const { status, headers, text: body } = await call(`GET ${path}`);
      return status === 200 && headers['x-service-stale'] === undefined && body;
    }, limit);
    return [path, text] as const;
  };
  return Object.fromEntries(await Promise.all([...paths, '/v1/account/audit-log'].map(read)));
}

/** A simulated page that counts visits in the profile. */
const counter = 'http://sim.test/counter';

/** Visits a page that counts visits in the profile, and waits until that is saved. Resolves to the count. */
export async function visit(client: Calling, profile: string, url = counter): Promise<unknown> {
  const { count, leave } = await openCounter(client, profile, url);
  await leave();
  return count;
}

/** The same, except that the session ends with `leave`. */
export async function openCounter({ call }: Calling, profile: string, url = counter) {
  const { json: session } = await call(`POST /v1/profiles/${profile}/launch`, {});
  const path = `/v1/sessions/${String(session.id)}`;
  await call(`POST ${path}/navigate`, { url });
  const { json } = await call(`GET ${path}/state`);
  return {
    count: (json.local_storage as { count?: string } | undefined)?.count,
    leave: async () => {
      await call(`DELETE ${path}`);
      await until(
        async () => (await call(`GET /v1/profiles/${profile}`)).json.save_state === 'saved',
        inTime,
      );
    },
  };
}
