import { startDemoSite } from '../../main/demo/site.ts';

/** A node of real browsers that may open pages on loopback, with so many started ahead of their sessions. */
export const webKit = ({ waiting }: { readonly waiting: number }): Readonly<Record<string, string>> => ({
  DRIVER: 'webkit',
  OUTBOUND_ALLOW: '127.0.0.0/8',
  WARM_BROWSERS: String(waiting),
});

/** Small pages on loopback while `work` runs. */
export async function onSite<T>(work: (url: string) => Promise<T>): Promise<T> {
  const site = await startDemoSite(0);
  try {
    return await work(site.url);
  } finally {
    await site.close();
  }
}
