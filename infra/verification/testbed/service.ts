import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ServiceRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an operator's command to its end, whatever its exit status. `tree` is the checkout that it is of. */
export function runService(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  tree = root,
): Promise<ServiceRun> {
  return new Promise((resolve) => {
    const options = { env: environment, maxBuffer: 64 * 1024 * 1024 };
    const program = join(tree, 'infra/main/run.mjs');
    execFile(process.execPath, [program, 'command', ...args], options, (error, stdout, stderr) => {
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ status, stdout, stderr });
    });
  });
}
