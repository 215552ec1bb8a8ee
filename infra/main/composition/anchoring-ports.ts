import type pg from 'pg';
import type { AnchoringPorts } from '../../../commands/public-tree/anchoring.ts';
import { rootAt } from '../../../contracts/audit/tree.ts';
import { changedHeads } from '../../../projections/audit/changed-heads.ts';
import { checkSignedHeads } from '../../../projections/audit/check-heads.ts';
import { publicSize, publicTreeRows } from '../../../projections/queries/public-tree.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { keptHeadIn } from '../../notes/kept-head.ts';
import { signHead, type NoteKeys } from '../../notes/note-keys.ts';

interface Opened extends Pick<AnchoringPorts, 'runner' | 'clock' | 'vault' | 'logger' | 'intervalMs'> {
  readonly pool: pg.Pool;
  readonly store: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly noteKeys: Pick<NoteKeys, 'current'>;
  /** File of the last head. */
  readonly file: string;
}

/** Anchoring with Postgres, the vault's keys and a file. */
export const anchoringPorts = ({ pool, store, noteKeys, file, ...ports }: Opened): AnchoringPorts => ({
  ...ports,
  changedHeads: () => changedHeads(pool),
  projected: () => publicSize(pool),
  rootAt: async (size) => (await rootAt(publicTreeRows(pool), size)).toString('base64'),
  signer: async () => {
    const key = await noteKeys.current();
    const { name: origin, log } = key;
    return {
      origin,
      sign: (size, root, more) => signHead(key, { origin, size, root: Buffer.from(root, 'base64') }, more),
      // The round has checked the public head.
      check: (signal) =>
        checkSignedHeads({ pool, store, log, publicHead: () => Promise.resolve(null), signal }),
    };
  },
  kept: keptHeadIn(file),
  elapsed: () => performance.now(),
});
