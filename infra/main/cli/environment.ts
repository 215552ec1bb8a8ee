import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, setIn, withReadableSecrets, type Environment } from '../../config/index.ts';
import { givenTo, readStack } from '../supervisor/stack-file.ts';

/** Advice to an operator whose command finds neither a running stack nor stores. */
export const toFindTheService =
  'Start it with npm start, or set EVENTSTORE_URL, POSTGRES_URL and the secrets. Where the units for systemd are installed, use service-command instead.';

/** The variables of a command: the shell's, then the running stack's, then the secrets of its data directory. */
export function commandEnvironment(shell: Environment): Environment {
  const dataDir = loadConfig(shell).DATA_DIR;
  const stack = readStack(dataDir);
  const given = stack && withReadableSecrets(givenTo(stack));
  return { ...secretsIn(dataDir), ...given, ...stack?.environment, ...setIn(shell) };
}

function secretsIn(dataDir: string): Environment {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Environment;
  } catch {
    return {};
  }
}
