import { subtreeOf, type TreeRows } from './tree.ts';

/** Tiles of a Merkle tree, as c2sp.org/tlog-tiles names and writes them. */

/** Hashes of a full tile. */
const fullWidth = 256;
const mostLevel = 63;

export interface Tile {
  readonly level: number;
  /** From 0 on, within its level. */
  readonly index: number;
  /** Hashes; fewer than 256 of a partial tile. */
  readonly width: number;
}

const form = /^(0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile that `<L>/<N>` or `<L>/<N>.p/<W>` names, such as `0/x001/234` or `1/000.p/17`; undefined when it names none. */
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

/** The bytes of a tile: the roots of the perfect subtrees of 256^level leaves, one behind the other. */
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
