import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const run = fileURLToPath(new URL('../../main/run.mjs', import.meta.url));

export interface ServiceRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an operator's command to its end, whatever its exit status. */
export function runService(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServiceRun> {
  return new Promise((resolve) => {
    const options = { env: environment, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [run, 'command', ...args], options, (error, stdout, stderr) => {
      const status = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ status, stdout, stderr });
    });
  });
}
