import { subtreeOf, type TreeRows } from './tree.ts';

/** Tiles of a Merkle tree, named and encoded as in c2sp.org/tlog-tiles. */

/** Hashes of a full tile. */
const fullWidth = 256;
const mostLevel = 63;

export interface Tile {
  readonly level: number;
  /** From 0, within its level. */
  readonly index: number;
  /** Number of hashes; below 256 in a partial tile. */
  readonly width: number;
}

const form = /^(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/**
 * Parses the name of a tile, `<L>/<N>` or `<L>/<N>.p/<W>`, such as `0/x001/234` or `1/000.p/17`; undefined for any other text.
 */
export function tileNamed(path: string): Tile | undefined {
  const [, level = '', name = '', partial] = form.exec(path) ?? [];
  const [first = '', ...rest] = name.split('/');
  if (name === '' || (rest.length > 0 && first === 'x000')) return undefined;
  const tile = {
    level: Number(level),
    index: Number(name.replaceAll(/[x/]/g, '')),
    width: Number(partial ?? fullWidth),
  };
  const isOfForm = tile.level <= mostLevel && (partial === undefined || tile.width < fullWidth);
  return isOfForm ? tile : undefined;
}

export const isFull = ({ width }: Tile): boolean => width === fullWidth;

/** Whether a tree of this size has all hashes of the tile. */
export const isWithin = ({ level, index, width }: Tile, size: number): boolean =>
  (index * fullWidth + width) * fullWidth ** level <= size;

/** The bytes of a tile: the concatenated roots of the perfect subtrees of 256^level leaves. */
export async function tileBytes(rows: TreeRows, { level, index, width }: Tile): Promise<Buffer> {
  const leaves = fullWidth ** level;
  const ends = Array.from({ length: width }, (_, at) => (index * fullWidth + at + 1) * leaves);
  const bySequence = new Map((await rows(ends)).map((row) => [row.sequence, row]));
  const hashes = ends.map((end) => {
    const row = bySequence.get(end);
    if (row === undefined) throw new Error(`The tree has no row ${end}.`);
    return subtreeOf(row, 8 * level);
  });
  return Buffer.concat(hashes);
}
