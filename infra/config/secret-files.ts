import { readFileSync } from 'node:fs';
import type { Variable } from './kinds.ts';
import { ConfigError } from './load.ts';
import { variables } from './variables/index.ts';

const suffix = '_FILE';

/**
 * Reads secrets from files, as provided by systemd and container runtimes: `MASTER_KEY_FILE` names the file with `MASTER_KEY`.
 * Replaces the names by the contents, without the final line end. Throws `ConfigError`.
 */
export function takeSecretFiles(environment: Record<string, string | undefined>): void {
  const complaints: string[] = [];
  for (const [name, { kind }] of Object.entries<Variable<unknown>>(variables)) {
    const path = environment[name + suffix];
    if (!kind.secret || !path) continue;
    if (environment[name]) complaints.push(`${name} and ${name}${suffix} are both set: which is right?`);
    const read = contentOf(path);
    if ('complaint' in read) complaints.push(`${name}${suffix} is ${path}: ${read.complaint}`);
    else Object.assign(environment, { [name]: read.text });
    Reflect.deleteProperty(environment, name + suffix);
  }
  if (complaints.length > 0) throw new ConfigError(complaints);
}

function contentOf(path: string): { readonly text: string } | { readonly complaint: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { complaint: 'it is empty.' } : { text };
  } catch (error) {
    return { complaint: (error as Error).message };
  }
}
