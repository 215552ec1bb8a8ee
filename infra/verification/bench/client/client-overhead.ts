import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type * as client from 'service/client';
import { inFlight } from '../load.ts';
import { serveApps } from '../served-apps.ts';
import type { RatioSubject } from '../subject.ts';

const concurrency = 16;

/** The client without types, as programs run it: `tsx` would add a call for each function that it makes. */
async function bundledClient(): Promise<typeof client> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('service/client'))],
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022', platform: 'neutral' },
  });
  const text = outputFiles[0]?.text ?? '';
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as typeof client;
}

/** Overhead of the client over `fetch` and `JSON.parse` alone, with a server that only sends a constant. */
export const clientOverhead: RatioSubject = {
  kind: 'ratio',
  id: 'client-overhead',
  title: `calls of the client / bare fetch and JSON.parse, ${concurrency} in flight`,
  pass: 1 / 1.3,
  stretch: 1 / 1.15,
  operations: 3_000,
  prepare: async () => {
    const apps = await serveApps<'answering'>(new URL('./answering-server.ts', import.meta.url));
    const baseUrl = `http://127.0.0.1:${apps.ports.answering}`;
    const { Service } = await bundledClient();
    const { sessions } = new Service({ baseUrl, apiKey: 'svc_bench_1' });
    const headers = { authorization: 'Bearer svc_bench_1', accept: 'application/json' };
    return {
      ours: {
        name: 'sessions.get',
        run: (operations) =>
          inFlight(operations, concurrency, async () => check(await sessions.get('ses_1'))),
      },
      raw: {
        name: 'fetch',
        run: (operations) =>
          inFlight(operations, concurrency, async () => {
            const response = await fetch(`${baseUrl}/v1/sessions/ses_1`, { headers });
            check(JSON.parse(await response.text()) as { status: string });
          }),
      },
      close: apps.close,
    };
  },
};

function check({ status }: { readonly status: string }): void {
  if (status !== 'ready') throw new Error(`The answer has the status ${status}.`);
}
