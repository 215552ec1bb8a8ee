import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CpuProfile } from './steps-attribution.ts';

const profiler = new URL('./steps-profiler.ts', import.meta.url).href;

/**
 * A server of the bench in a process of its own that can be profiled; `ready` is the message it sends when it serves.
 */
export async function startProfiled(entry: string, args: readonly string[]) {
  const path = fileURLToPath(new URL(entry, import.meta.url));
  const child = fork(path, args, { execArgv: ['--import', 'tsx', '--import', profiler] });
  /** The next message that has the member. The server answers every message, so others may arrive in between. */
  const received = <T>(member: string): Promise<T> =>
    new Promise((resolve) => {
      child.on('message', function take(message: unknown) {
        if (typeof message !== 'object' || message === null || !(member in message)) return;
        child.off('message', take);
        resolve(message as T);
      });
    });
  const asked = <T>(question: string, member: string): Promise<T> => {
    const answer = received<T>(member);
    child.send(question);
    return answer;
  };
  const [ready] = (await once(child, 'message')) as [unknown];
  return {
    ready,
    cpu: async () => (await asked<{ cpu: NodeJS.CpuUsage }>('cpu', 'cpu')).cpu,
    /** The profile of the process while `work` runs. */
    profile: async (work: () => Promise<void>) => {
      await asked('profile', 'profiling');
      await work();
      return (await asked<{ profile: CpuProfile }>('profile', 'profile')).profile;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
