import { Agent, request } from 'undici';
import { inFlight } from '../load.ts';
import { serveApps } from '../served-apps.ts';
import { startStoreProcess } from '../store-process.ts';
import type { RatioSubject } from '../subject.ts';

const clients = 32;

/** The public status without a credential, through the gateway, after every store was stopped. */
export const statusRead: RatioSubject = {
  kind: 'ratio',
  id: 'status-read',
  long: true,
  title: `read of the status with every store stopped / bare express, ${clients} in flight`,
  pass: 0.8,
  stretch: 1,
  operations: 4_000,
  prepare: async ({ directory }) => {
    const server = await startStoreProcess(directory);
    const apps = await serveApps<'gateway' | 'bare'>(new URL('./status-server.ts', import.meta.url), [
      server.url,
      directory,
    ]);
    await server.stop();
    const agent = new Agent({ connections: clients });
    const reading = (port: number) => (operations: number) =>
      inFlight(operations, clients, async () => {
        const answer = await request(`http://127.0.0.1:${port}/v1/status`, { dispatcher: agent });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`A read was answered ${answer.statusCode}.`);
      });
    return {
      ours: { name: 'GET /v1/status', run: reading(apps.ports.gateway), cpuUsage: apps.cpuUsage },
      raw: { name: 'bare express', run: reading(apps.ports.bare), cpuUsage: apps.cpuUsage },
      close: async () => {
        await agent.close();
        await apps.close();
      },
    };
  },
};
