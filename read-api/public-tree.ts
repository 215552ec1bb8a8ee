import { Readable } from 'node:stream';
import type pg from 'pg';
import { inclusionProof } from '../contracts/audit/tree.ts';
import { isFull, isWithin, tileBytes, tileNamed } from '../contracts/audit/tiles.ts';
import { refuse } from '../contracts/problems.ts';
import type { Anchor } from '../contracts/resources/audit-proof.ts';
import type { Call } from '../infra/http/index.ts';
import type { Vault } from '../infra/vault/index.ts';
import type { Schema } from '../projections/engine/table.ts';
import { anchorOf, publicHead, publicTreeRows } from '../projections/queries/public-tree.ts';
import type { Reader } from './engine/credentials.ts';
import { notFound, type Read } from './engine/reading.ts';

interface Tables {
  readonly pool: pg.Pool;
  readonly schema?: Schema | undefined;
}

/** The public tree, and the inclusion of an account. */
export const publicTreeReads = (tables: Tables, read: Read, vault: Pick<Vault, 'salt'>) => ({
  ...anchorRead(tables, read, vault),
  ...checkpointRead(tables),
  ...tileReads(tables),
});

const anchorRead = ({ pool, schema }: Tables, read: Read, vault: Pick<Vault, 'salt'>) => ({
  'audit-log.anchor': {
    run: async (call: Call<'audit-log.anchor', Reader, never>) => {
      const { accountId } = call.caller;
      const { rows, stale, freshness } = await read(call, anchorOf, { accountId });
      const [leaf] = rows;
      if (leaf === undefined) throw stale ? notFound(stale) : notAnchored();
      const { sequence, pseudonym, size, root, tree_size: treeSize } = leaf;
      const { path } = await inclusionProof(publicTreeRows(pool, schema), sequence - 1, treeSize);
      const body: Anchor = {
        leaf_index: sequence - 1,
        leaf: { pseudonym, size, root },
        salt: (await vault.salt(accountId)).toString('base64'),
        ...{ size: treeSize, root: leaf.tree_root, checkpoint: leaf.note },
        proof: path.map((hash) => hash.toString('base64')),
      };
      return { body, ...freshness };
    },
  },
});

const notAnchored = () =>
  refuse('not-found', 'The audit log is not in the public tree yet: its head gets there within the hour.');

/** In seconds: the next checkpoint is made within the hour. */
const checkpointAge = 60;

const checkpointRead = ({ pool, schema }: Tables) => ({
  'public-tree.checkpoint': {
    run: async () => {
      const head = await publicHead(pool, schema);
      if (head === undefined) throw refuse('not-found', 'Nothing has been anchored yet.');
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': `public, max-age=${checkpointAge}`,
      };
      return { body: head.note, headers };
    },
  },
});

/** In seconds. A partial tile never changes either, but a wider one replaces it. */
const tileAges = { full: 31_536_000, partial: 3600 };

interface TileParams {
  readonly level: string;
  readonly first?: string;
  readonly second?: string;
  readonly third?: string;
  readonly last: string;
}

/** The bytes are those of c2sp.org/tlog-tiles. A tile exists once the checkpoint includes all of its hashes. */
function tileReads({ pool, schema }: Tables) {
  const rows = publicTreeRows(pool, schema);
  const tile = {
    run: async ({ params }: { readonly params: TileParams }) => {
      const { level, first, second, third, last } = params;
      const segments = [level, first, second, third, last].filter((each) => each !== undefined);
      const asked = tileNamed(segments.join('/'));
      const head = await publicHead(pool, schema);
      if (asked === undefined || head === undefined || !isWithin(asked, head.size)) throw refuse('not-found');
      const age = isFull(asked) ? tileAges.full : tileAges.partial;
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Cache-Control': `public, max-age=${age}, immutable`,
      };
      return { body: Readable.from(await tileBytes(rows, asked)), headers };
    },
  };
  return {
    ...{ 'public-tree.tile': tile, 'public-tree.tile-2': tile },
    ...{ 'public-tree.tile-3': tile, 'public-tree.tile-4': tile },
  };
}
