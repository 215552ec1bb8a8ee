import type pg from 'pg';
import type { AnchoringPorts } from '../../../commands/public-tree/anchoring.ts';
import { rootAt } from '../../../contracts/audit/tree.ts';
import { changedHeads } from '../../../projections/audit/changed-heads.ts';
import { publicSize, publicTreeRows } from '../../../projections/queries/public-tree.ts';
import { keptHeadIn } from '../../notes/kept-head.ts';
import { signHead, type NoteKeys } from '../../notes/note-keys.ts';

interface Opened extends Pick<AnchoringPorts, 'runner' | 'clock' | 'vault' | 'logger' | 'intervalMs'> {
  readonly pool: pg.Pool;
  readonly noteKeys: Pick<NoteKeys, 'current'>;
  /** File of the last head. */
  readonly file: string;
}

/** Anchoring with Postgres, the vault's keys and a file. */
export const anchoringPorts = ({ pool, noteKeys, file, ...ports }: Opened): AnchoringPorts => ({
  ...ports,
  changedHeads: () => changedHeads(pool),
  projected: () => publicSize(pool),
  rootAt: async (size) => (await rootAt(publicTreeRows(pool), size)).toString('base64'),
  signer: async () => {
    const key = await noteKeys.current();
    const { name: origin } = key;
    return {
      origin,
      sign: (size, root, more) => signHead(key, { origin, size, root: Buffer.from(root, 'base64') }, more),
    };
  },
  kept: keptHeadIn(file),
  elapsed: () => performance.now(),
});
