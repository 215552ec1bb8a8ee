import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  configuredIn,
  loadConfig,
  setIn,
  withReadableSecrets,
  type Environment,
} from '../../config/index.ts';
import { givenTo, readStack } from '../supervisor/stack-file.ts';

/** Advice to an operator whose command finds neither a running stack nor stores. */
export const toFindTheService =
  'Start it with npm start, or set EVENTSTORE_URL, POSTGRES_URL and the secrets. Where the units for systemd are installed, use service-command instead.';

/** The variables of a command: the shell's, then the running stack's, then the secrets of its data directory. */
export function commandEnvironment(shell: Environment): Environment {
  const { stack, given, kept } = runningOn(shell);
  return { ...kept, ...given, ...stack?.environment, ...setIn(shell) };
}

/**
 * The names of the variables that are set in the shell, and that the running stack was started without, or with other values. None where no
 * stack runs, or what it was started with is hidden.
 */
export function unknownToStack(shell: Environment): readonly string[] {
  const { stack, given, kept } = runningOn(shell);
  if (stack === undefined || given === undefined) return [];
  const started = { ...kept, ...given };
  return Object.entries(setIn(configuredIn(shell, process.cwd()))).flatMap(([name, value]) =>
    [started[name], stack.environment[name]].includes(value) || isUnreadable(started[name]) ? [] : [name],
  );
}

/** Of a secret whose file cannot be read. */
const isUnreadable = (value: string | undefined): boolean => value === '';

/** The stack that runs on the data directory, what it was given, as far as that can be read, and the secrets of the directory. */
function runningOn(shell: Environment) {
  const dataDir = loadConfig(shell).DATA_DIR;
  const stack = readStack(dataDir);
  const given = stack && givenTo(stack, shell.SUPERVISOR_ENVIRON);
  return { stack, given: given && withReadableSecrets(given), kept: secretsIn(dataDir) };
}

function secretsIn(dataDir: string): Environment {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Environment;
  } catch {
    return {};
  }
}
