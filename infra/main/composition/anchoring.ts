import { join } from 'node:path';
import type { Processes } from '../../../commands/process-managers/index.ts';
import { createAnchoring } from '../../../commands/public-tree/anchoring.ts';
import { anchoringPorts } from './anchoring-ports.ts';
import type { Ports } from './ports.ts';
import { openNoteKeys } from './stores.ts';

/** Maximum interval of the check whether anchoring is due, in milliseconds. */
const lookMs = 60_000;

type TreePorts = Pick<Ports, 'config' | 'pool' | 'runner' | 'clock' | 'vault' | 'logger' | 'record'>;

export const openAnchoring = ({ config, record, ...ports }: TreePorts) =>
  createAnchoring(
    anchoringPorts({
      ...ports,
      store: record,
      intervalMs: config.ANCHOR_INTERVAL,
      noteKeys: openNoteKeys(config, ports.pool),
      file: join(config.DATA_DIR, 'public-head.json'),
    }),
  );

/** Anchors accounts' heads in the public tree. Nothing if it is disabled. */
export function anchoringProcesses(ports: TreePorts): Processes {
  const intervalMs = ports.config.ANCHOR_INTERVAL;
  if (intervalMs === 0) return { managers: [], sweeps: [] };
  const { round } = openAnchoring(ports);
  return { managers: [], sweeps: [{ name: 'anchoring', everyMs: Math.min(intervalMs, lookMs), run: round }] };
}
