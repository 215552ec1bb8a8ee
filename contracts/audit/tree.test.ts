import { expect } from 'chai';
import { base64, consistencyPath, inclusionPath, leafHash as leafHashOf, treeHash } from './testing.ts';
import {
  consistencyProof,
  emptyFrontier,
  frontierOf,
  grow,
  inclusionProof,
  leafHash,
  rootAt,
  rootOf,
  subtreesText,
  type TreeRow,
} from './tree.ts';
import { verifyConsistency, verifyInclusion } from './verify.mjs';

const largest = 70;
const leaves = Array.from({ length: largest }, (_, i) => Buffer.from(`leaf ${i}`));

/** A table that grew by one leaf at a time. */
const frontier = emptyFrontier();
const table: readonly TreeRow[] = leaves.map((each, i) => {
  const leaf = leafHash(each);
  return { sequence: i + 1, leaf: () => leaf, subtrees: subtreesText(grow(frontier, leaf)) };
});
const rows = async (sequences: readonly number[]) =>
  table.filter(({ sequence }) => sequences.includes(sequence));

describe('the tree of a log', () => {
  it('has the roots of RFC 6962, as it grows and from its rows', async () => {
    expect(rootOf(frontier)).to.deep.equal(treeHash(leaves));
    for (let size = 0; size <= largest; size += 1)
      expect(base64(await rootAt(rows, size)), String(size)).to.equal(
        base64(treeHash(leaves.slice(0, size))),
      );
  });

  it('continues from the rows at which its subtrees end', async () => {
    for (let size = 0; size < largest; size += 1) {
      const ends: number[] = [];
      for (let rest = size; rest > 0; rest &= rest - 1) ends.unshift(rest);
      const again = frontierOf(table.filter(({ sequence }) => ends.includes(sequence)));
      const completed = grow(again, leafHashOf(leaves[size] ?? Buffer.of()));
      expect(subtreesText(completed), String(size)).to.equal(table[size]?.subtrees);
      expect(again.size).to.equal(size + 1);
    }
  });

  it('gives the proofs of RFC 6962, which the verifier accepts', async () => {
    for (let size = 1; size <= largest; size += 3) {
      const first = leaves.slice(0, size);
      for (let index = 0; index < size; index += 1) {
        const { root, path } = await inclusionProof(rows, index, size);
        expect(path.map(base64)).to.deep.equal(inclusionPath(index, first).map(base64));
        const leaf_hash = base64(table[index]?.leaf() ?? Buffer.of());
        const inclusion = { leaf_hash, leaf_index: index, size, root: base64(root), proof: path.map(base64) };
        expect(verifyInclusion(inclusion)).to.equal(true);

        const from = index + 1;
        const { fromRoot, ...to } = await consistencyProof(rows, from, size);
        expect(to.path.map(base64)).to.deep.equal(consistencyPath(from, first).map(base64));
        const roots = { from_root: base64(fromRoot), to_root: base64(to.root) };
        expect(verifyConsistency({ from, to: size, ...roots, proof: to.path.map(base64) })).to.equal(true);
      }
    }
  });

  it('rejects if a row is missing', async () => {
    const gap = async (sequences: readonly number[]) => (await rows(sequences)).slice(1);
    const failed = await rootAt(gap, 7).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
  });
});
