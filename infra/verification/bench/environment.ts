import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import { postgresBinaries } from '../../main/embedded/postgres.ts';

const packages = [
  '@eventstore/db-client',
  '@grpc/grpc-js',
  'lmdb',
  'express',
  'pg',
  'kysely',
  'undici',
  'bullmq',
] as const;

/** The environment of a run, needed to compare two runs. */
export async function describeEnvironment(): Promise<Readonly<Record<string, string>>> {
  const [cpu] = cpus();
  const versions = await Promise.all(packages.map(async (name) => [name, await versionOf(name)] as const));
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpus: `${cpus().length} x ${cpu?.model ?? 'unknown'}`,
    postgres: await postgresVersion(),
    ...Object.fromEntries(versions),
  };
}

async function versionOf(dependency: string): Promise<string> {
  const manifest = new URL(`../../../node_modules/${dependency}/package.json`, import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return version;
}

/** `postgres (PostgreSQL) 18.0` without its name. */
async function postgresVersion(): Promise<string> {
  const { postgres } = postgresBinaries();
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  return stdout.trim().split(' ').at(-1) ?? '';
}
