import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, type Environment } from '../../config/index.ts';
import { readStack } from '../supervisor/stack-file.ts';

/** The variables of a command: the shell's, then the running stack's. */
export function commandEnvironment(shell: Environment): Environment {
  const dataDir = loadConfig(shell).DATA_DIR;
  const set = Object.entries(shell).filter(([, value]) => value !== undefined && value !== '');
  return { ...secretsIn(dataDir), ...readStack(dataDir)?.environment, ...Object.fromEntries(set) };
}

function secretsIn(dataDir: string): Environment {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Environment;
  } catch {
    return {};
  }
}
