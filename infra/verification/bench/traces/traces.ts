import { Agent } from 'undici';
import { inFlight } from '../load.ts';
import { serveApps } from '../served-apps.ts';
import { startStoreProcess } from '../store-process.ts';
import type { RatioSubject, Side } from '../subject.ts';
import { post } from '../write-side.ts';

const clients = 16;

/** The command of R3 with all of its traces sent, against the same without any, in processes of their own. */
export const traces: RatioSubject = {
  kind: 'ratio',
  id: 'traces',
  title: 'HTTP command with every trace sent to a collector / without tracing',
  pass: 1 / 1.15,
  stretch: 1 / 1.08,
  operations: 1_500,
  async prepare({ directory }) {
    const store = await startStoreProcess(directory);
    const collector = await serveApps<'otlp'>(new URL('./collector.ts', import.meta.url));
    const agent = new Agent({ connections: clients });
    const [traced, untraced] = [
      await startServer(store.url, `http://127.0.0.1:${collector.ports.otlp}`),
      await startServer(store.url, ''),
    ];
    return {
      ours: sideOf('traced', traced, agent),
      raw: sideOf('untraced', untraced, agent),
      close: async () => {
        await agent.close();
        await Promise.all([traced.close(), untraced.close()]);
        await collector.close();
        await store.stop();
      },
    };
  },
};

const entry = new URL('./write-server.ts', import.meta.url);
const startServer = (url: string, collector: string) =>
  serveApps<'api', Details>(entry, [url, collector, String(clients)]);

interface Details {
  readonly token: string;
  readonly sessions: readonly string[];
}

const sideOf = (
  name: string,
  { ports, details, cpuUsage }: Awaited<ReturnType<typeof startServer>>,
  agent: Agent,
): Side => ({
  name,
  cpuUsage,
  run: (operations) =>
    inFlight(operations, clients, async (_index, client) => {
      const url = `http://127.0.0.1:${ports.api}/v1/sessions/${details.sessions[client]}/navigate`;
      const { status, text } = await post(agent, url, details.token, { url: 'http://sim.test/' });
      if (status !== 200) throw new Error(`A request failed with ${status}: ${text}`);
    }),
});
