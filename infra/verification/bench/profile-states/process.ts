import { pathToFileURL } from 'node:url';
import { openBlobStore } from '../../../blobs/index.ts';
import {
  createProfileStates,
  packState,
  unpackState,
  type SealedState,
} from '../../../profile-states/index.ts';
import { benchProfile, type Work, type WorkDone } from './work.ts';

/**
 * Packs, seals and stores states, and opens them again, in the directory given as argument. Combines node and control
 * plane.
 */
const [root = ''] = process.argv.slice(2);
const blobs = await openBlobStore(pathToFileURL(root).href);
/** Not included: sealing a 32-byte key takes a database one millisecond. */
const vault = {
  seal: async (_profile: string, _field: string, text: string) => text,
  open: async (_profile: string, _field: string, sealed: string) => ({ text: sealed }),
};
const states = createProfileStates({ blobs, vault });
let kept: SealedState | undefined;

async function work({ kind, directory }: Work): Promise<void> {
  if (kind === 'open') {
    if (kept === undefined) throw new Error('Nothing was kept yet.');
    return unpackState(await states.open(benchProfile, kept), directory);
  }
  if (kept) await states.drop(kept.blob);
  kept = await states.keep(benchProfile, (kept?.generation ?? 0) + 1, packState(directory));
}

async function measured(asked: Work): Promise<WorkDone> {
  const rssBefore = process.memoryUsage.rss();
  let rssAtMost = rssBefore;
  const watching = setInterval(() => (rssAtMost = Math.max(rssAtMost, process.memoryUsage.rss())), 5);
  await work(asked);
  clearInterval(watching);
  return { cpu: process.cpuUsage(), rssBefore, rssAtMost, sealedBytes: kept?.bytes ?? 0 };
}

process.on('message', (asked: Work) => {
  void measured(asked).then((done) => process.send?.(done));
});
process.send?.('ready');
