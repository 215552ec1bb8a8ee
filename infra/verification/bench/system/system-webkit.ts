import { startDemoSite } from '../../../main/demo/site.ts';
import { scaled } from './system-scale.ts';

/** Settings of a node of real browsers that may open pages on loopback, with a pool of that size. */
export const webKit = ({ waiting }: { readonly waiting: number }): Readonly<Record<string, string>> => ({
  DRIVER: 'webkit',
  OUTBOUND_ALLOW: '127.0.0.0/8',
  WARM_BROWSERS: String(waiting),
});

/** Serves small pages on loopback while `work` runs. */
export async function onSite<T>(work: (url: string) => Promise<T>): Promise<T> {
  const site = await startDemoSite(0);
  try {
    return await work(site.url);
  } finally {
    await site.close();
  }
}

const waits = scaled(600, 20);

/**
 * Warm-up by operations without a browser's work: code that V8 has not compiled yet takes the service twice as long.
 */
export async function warmUp(ask: (operation: string, body: object) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < waits; index += 1) await ask('wait', { condition: { kind: 'delay', ms: 0 } });
}
