import { expect } from 'chai';
import { leafHash as referenceLeaf, treeHash } from './testing.ts';
import { isFull, isWithin, tileBytes, tileNamed } from './tiles.ts';
import { emptyFrontier, grow, leafHash, subtreesText, type TreeRow } from './tree.ts';

const leaves = Array.from({ length: 1000 }, (_, index) => Buffer.from(String(index)));

describe('tiles of a tree', () => {
  const rows = new Map<number, TreeRow>();
  before(() => {
    const tree = emptyFrontier();
    for (const bytes of leaves) {
      const leaf = leafHash(bytes);
      const subtrees = subtreesText(grow(tree, leaf));
      rows.set(tree.size, { sequence: tree.size, leaf: () => leaf, subtrees });
    }
  });
  const find = (sequences: readonly number[]) =>
    Promise.resolve(sequences.flatMap((sequence) => rows.get(sequence) ?? []));
  const bytesOf = (path: string) => {
    const tile = tileNamed(path);
    if (tile === undefined) throw new Error(`${path} is no tile.`);
    return tileBytes(find, tile);
  };
  const rootsOf = (first: number, count: number, of: number) =>
    Buffer.concat(
      Array.from({ length: count }, (_, at) =>
        treeHash(leaves.slice((first + at) * of, (first + at + 1) * of)),
      ),
    );

  it('are the hashes of the leaves, and of ever larger perfect subtrees', async () => {
    expect((await bytesOf('0/000')).equals(Buffer.concat(leaves.slice(0, 256).map(referenceLeaf)))).to.equal(
      true,
    );
    expect((await bytesOf('0/003.p/232')).equals(rootsOf(768, 232, 1))).to.equal(true);
    expect((await bytesOf('1/000.p/3')).equals(rootsOf(0, 3, 256))).to.equal(true);
  });

  it('are looked up at the leaves that complete their subtrees', async () => {
    const subtrees = Buffer.from(Array.from({ length: 16 * 32 }, (_, at) => at >> 5)).toString('base64');
    const asked: number[] = [];
    const any = (sequences: readonly number[]) => {
      asked.push(...sequences);
      return Promise.resolve(
        sequences.map((sequence) => ({ sequence, leaf: () => Buffer.alloc(32), subtrees })),
      );
    };
    const bytes = await tileBytes(any, { level: 2, index: 1, width: 2 });
    expect(asked).to.deep.equal([257 * 65_536, 258 * 65_536]);
    expect(bytes.equals(Buffer.alloc(64, 15))).to.equal(true);
  });

  it('are named by level, number and width', () => {
    expect(tileNamed('0/000')).to.deep.equal({ level: 0, index: 0, width: 256 });
    expect(tileNamed('63/999')).to.deep.equal({ level: 63, index: 999, width: 256 });
    expect(tileNamed('5/x001/x234/067')).to.deep.equal({ level: 5, index: 1_234_067, width: 256 });
    expect(tileNamed('0/x001/234.p/255')).to.deep.equal({ level: 0, index: 1_234, width: 255 });
    for (const other of [
      ...['', '0', '0/', '/000', '64/000', '00/000', '-1/000', '0/0', '0/0000', '0/00x', '0/x000/001'],
      ...['0/001/002', '0/x001', '0/x001/x002', '0/000.p', '0/000.p/', '0/000.p/0', '0/000.p/256'],
      ...['0/000.p/01', '0/000.p/1/2', '0/x001.p/1/000', 'entries/000', ' 0/000', '0/000\n', '0/٠٠٠'],
    ])
      expect(tileNamed(other), JSON.stringify(other)).to.equal(undefined);
  });

  it('are in a tree that has all of their hashes', () => {
    const within = (path: string, size: number) => {
      const tile = tileNamed(path);
      return tile !== undefined && isWithin(tile, size);
    };
    expect([255, 256, 257].map((size) => within('0/000', size))).to.deep.equal([false, true, true]);
    expect([299, 300].map((size) => within('0/001.p/44', size))).to.deep.equal([false, true]);
    expect([65_535, 65_536].map((size) => within('1/000', size))).to.deep.equal([false, true]);
    expect(within('63/000.p/1', 2 ** 31)).to.equal(false);
    expect(['0/000', '0/000.p/9'].map((path) => isFull(tileNamed(path) ?? fail()))).to.deep.equal([
      true,
      false,
    ]);
  });
});

const fail = (): never => {
  throw new Error('It is no tile.');
};
