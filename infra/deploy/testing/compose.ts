import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Given } from './environment.ts';

export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly shm_size?: string;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Given;
  readonly secrets?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

export interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export const composeFolder = join(import.meta.dirname, '../compose');

/** The compose file as an operator's `.env` completes it. */
export function readCompose(given: Given = {}): Compose {
  const text = readFileSync(join(composeFolder, 'compose.yaml'), 'utf8');
  const filledIn = text.replaceAll(
    /(?<!\$)\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, usual: string) => given[name] ?? usual,
  );
  return parse(filledIn, { merge: true }) as Compose;
}

/**
 * Runs `prepare.sh` for another directory.
 * @returns the directory of `secrets` and `tls`
 */
export function prepareIn(directory: string): string {
  for (const path of ['make-secrets.sh', 'compose/prepare.sh'])
    cpSync(join(composeFolder, '..', path), join(directory, path));
  execFileSync(join(directory, 'compose/prepare.sh'), { stdio: 'ignore' });
  return join(directory, 'compose');
}

/** Runs what the container of nginx starts with, for a directory and a `resolv.conf` of the test. @returns the file that tells nginx its name servers */
export function resolverIn(directory: string, resolvConf: string): string {
  const { entrypoint = [], command = [] } = readCompose().services.tls ?? {};
  const file = join(directory, 'resolver.conf');
  writeFileSync(join(directory, 'resolv.conf'), resolvConf);
  writeFileSync(join(directory, 'nginx'), '#!/bin/sh\n', { mode: 0o755 });
  const [shell = '', ...args] = [...entrypoint, ...command].map((word) =>
    word
      .replaceAll('$$', '$')
      .replaceAll('/etc/resolv.conf', join(directory, 'resolv.conf'))
      .replaceAll('/tmp/resolver.conf', file),
  );
  execFileSync(shell, args, { env: { ...process.env, PATH: `${directory}:${process.env.PATH}` } });
  return readFileSync(file, 'utf8');
}

/** The services that run this project's images, by name. */
export const oursIn = ({ services }: Compose): readonly (readonly [string, ComposeService])[] =>
  Object.entries(services).filter(([, { image }]) => image.startsWith('localhost/'));

/** Milliseconds of a duration such as `10s` or `3m`; the default is compose's. */
export const msOf = (duration = '10s'): number =>
  Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60_000 : 1_000);
