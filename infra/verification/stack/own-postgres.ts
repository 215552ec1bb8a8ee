import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../platform/free-port.ts';
import { tempDir, until } from '../testbed/index.ts';

const installed = '/usr/lib/postgresql';

/** Debian's Postgres, which its own tools dump and restore. Runs as its own user, as on a real machine. */
export async function startOwnPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const [version = ''] = readdirSync(installed).sort((one, other) => Number(other) - Number(one));
  const program = (name: string) => join(installed, version, 'bin', name);
  const owner = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  const directory = tempDir('own-postgres');
  chownSync(directory, owner, owner);
  const asOwner = ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig=INT'];
  const place = join(directory, 'data');
  execFileSync('setpriv', [...asOwner, program('initdb'), '-D', place, '-U', 'service', '-A', 'trust']);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const child = spawn(
    'setpriv',
    [
      ...asOwner,
      program('postgres'),
      '-D',
      place,
      '-p',
      String(port),
      ...settings.flatMap((each) => ['-c', each]),
    ],
    { stdio: 'ignore' },
  );
  const gone = once(child, 'exit');
  const url = `postgres://service@127.0.0.1:${port}/postgres`;
  await until(async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
    return true;
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      await gone;
    },
  };
}
