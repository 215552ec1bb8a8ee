import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ServedApps<Name extends string, Details = undefined> {
  readonly pid: number;
  readonly ports: Readonly<Record<Name, number>>;
  /** Further data that the entry sent when it served. */
  readonly details: Details;
  readonly cpuUsage: () => Promise<NodeJS.CpuUsage>;
  readonly close: () => Promise<void>;
}

/**
 * Serves apps in a process of their own, so that the load generator is not measured with them. The entry sends `{ports, details}`
 * when they serve, answers any message with `{cpu}`, and exits when it is disconnected.
 */
export async function serveApps<Name extends string, Details = undefined>(
  entry: URL,
  args: readonly string[] = [],
): Promise<ServedApps<Name, Details>> {
  const child = fork(entry, args, { execArgv: ['--import', 'tsx'] });
  const exited = once(child, 'exit');
  const endedEarly = exited.then(() => {
    throw new Error('The process of the apps ended before it served.');
  });
  endedEarly.catch(() => undefined);
  const ready = once(child, 'message') as Promise<[Pick<ServedApps<Name, Details>, 'ports' | 'details'>]>;
  const [{ ports, details }] = await Promise.race([ready, endedEarly]);
  if (child.pid === undefined) throw new Error('The process of the apps has no id.');
  return {
    ...{ pid: child.pid, ports, details },
    cpuUsage: async () => {
      const answered = once(child, 'message') as Promise<[{ cpu: NodeJS.CpuUsage }]>;
      child.send('cpu');
      return (await answered)[0].cpu;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
