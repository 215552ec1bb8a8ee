import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { path as pathKind, type Variable } from './kinds.ts';
import { ConfigError, loadConfig, type Config, type Environment } from './load.ts';
import { variables } from './variables/index.ts';

const suffix = '_FILE';
const known = Object.entries<Variable<unknown>>(variables);
const secretNames = known.flatMap(([name, { kind }]) => (kind.secret ? [name] : []));
const fileNames = secretNames.map((name) => name + suffix);
const ownNames = new Set([...known.map(([name]) => name), ...fileNames]);
const pathNames = new Set([
  ...known.flatMap(([name, { kind }]) => (kind === pathKind ? [name] : [])),
  ...fileNames,
]);

/** Absolute paths of the files that secrets are given as, by the variable of the secret. */
export const secretFilesIn = (environment: Environment): ReadonlyMap<string, string> =>
  new Map(
    secretNames.flatMap((name) => {
      const path = environment[name + suffix];
      return path ? [[name, resolve(path)] as const] : [];
    }),
  );

/** The variables, with each secret that `given` has as a file replaced by the absolute path of the file, as `MASTER_KEY_FILE`. */
export function withSecretFiles(environment: Environment, given: Environment): Environment {
  const files = secretFilesIn(given);
  const others = Object.entries(environment).filter(([name]) => !files.has(name));
  const named = [...files].map(([name, path]) => [name + suffix, path] as const);
  return Object.fromEntries([...others, ...named]);
}

/** The variables that are not in the configuration: those of Node, the system and libraries. */
export const foreignIn = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !ownNames.has(name)));

/** The variables of the configuration, with absolute paths; relative ones are relative to the directory. */
export const configuredIn = (environment: Environment, directory: string): Environment =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => ownNames.has(name))
      .map(([name, value]) => [name, value && pathNames.has(name) ? resolve(directory, value) : value]),
  );

/** The variables, with secrets read from their files. One whose file cannot be read is empty, as if it was not set. */
export function withReadableSecrets(environment: Environment): Environment {
  const others = Object.entries(environment).filter(([name]) => !fileNames.includes(name));
  const read = [...secretFilesIn(environment)].map(([name, path]) => {
    const content = contentOf(path);
    return [name, 'text' in content ? content.text : ''] as const;
  });
  return Object.fromEntries([...others, ...read]);
}

/**
 * Reads secrets from files, as provided by systemd and container runtimes: `MASTER_KEY_FILE` names the file with `MASTER_KEY`.
 * Replaces the names by the contents, without the final line end. Throws `ConfigError`.
 */
export function takeSecretFiles(environment: Record<string, string | undefined>): void {
  const complaints: string[] = [];
  for (const [name, path] of secretFilesIn(environment)) {
    if (environment[name]) complaints.push(`${name} and ${name}${suffix} are both set: which is right?`);
    const read = contentOf(path);
    if ('complaint' in read) complaints.push(`${name}${suffix} is ${path}: ${read.complaint}`);
    else Object.assign(environment, { [name]: read.text });
    Reflect.deleteProperty(environment, name + suffix);
  }
  if (complaints.length > 0) throw new ConfigError(complaints);
}

/** The configuration, with secrets read from their files; the variables stay as they are. Throws `ConfigError`. */
export function loadConfigWithFiles(environment: Environment): Config {
  const opened = { ...environment };
  takeSecretFiles(opened);
  return loadConfig(opened);
}

function contentOf(path: string): { readonly text: string } | { readonly complaint: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { complaint: 'it is empty.' } : { text };
  } catch (error) {
    return { complaint: (error as Error).message };
  }
}
