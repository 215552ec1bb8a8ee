import { expect } from 'chai';
import { base64, consistencyPath, inclusionPath, leafHash, treeHash } from './testing.ts';
import { verifyConsistency, verifyInclusion } from './verify.mjs';

const hexTo64 = (hex: string): string => base64(Buffer.from(hex, 'hex'));
const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('It is not there.');
  return value;
};

/** Leaves, roots and proofs of the tests of Certificate Transparency's own trees (google/certificate-transparency). */
const reference = {
  leaves: [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ],
  roots: [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ],
  inclusion: [
    { index: 0, size: 1, proof: [] },
    {
      index: 5,
      size: 8,
      proof: [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    },
    {
      index: 2,
      size: 3,
      proof: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    },
    {
      index: 1,
      size: 5,
      proof: [
        '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    },
  ],
  consistency: [
    { from: 1, to: 1, proof: [] },
    {
      from: 6,
      to: 8,
      proof: [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    },
    {
      from: 2,
      to: 5,
      proof: [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    },
  ],
};

const leaves = (count: number): Buffer[] => Array.from({ length: count }, (_, i) => Buffer.from(`leaf ${i}`));
const largest = 21;

const inclusionOf = (index: number, size: number) => ({
  leaf_hash: base64(leafHash(present(leaves(size)[index]))),
  leaf_index: index,
  size,
  root: base64(treeHash(leaves(size))),
  proof: inclusionPath(index, leaves(size)).map(base64),
});
const consistencyOf = (from: number, to: number) => ({
  ...{ from, to },
  from_root: base64(treeHash(leaves(from))),
  to_root: base64(treeHash(leaves(to))),
  proof: consistencyPath(from, leaves(to)).map(base64),
});

/** The same hash with one bit flipped. */
function flipped(hash: string, bit: number): string {
  const bytes = Buffer.from(hash, 'base64');
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return base64(bytes);
}

/** Corrupted proofs: a bit flipped, a hash dropped or duplicated, or two swapped. */
function* otherProofs(proof: readonly string[]): Generator<string[]> {
  for (const [at, hash] of proof.entries()) {
    for (let bit = 0; bit < 256; bit += 1) yield proof.with(at, flipped(hash, bit));
    yield proof.toSpliced(at, 1);
    yield proof.toSpliced(at, 0, hash);
    if (at > 0) yield proof.with(at, present(proof[at - 1])).with(at - 1, hash);
  }
  yield [...proof, base64(Buffer.alloc(32))];
  yield [base64(Buffer.alloc(32)), ...proof];
}

describe('proofs of service/audit', () => {
  it('agree with the trees of Certificate Transparency', () => {
    const roots = reference.roots.map(hexTo64);
    for (const { index, size, proof } of reference.inclusion) {
      const leaf = leafHash(Buffer.from(present(reference.leaves[index]), 'hex'));
      const root = present(roots[size - 1]);
      const given = { leaf_hash: base64(leaf), leaf_index: index, size, root, proof: proof.map(hexTo64) };
      expect(verifyInclusion(given), `${index} of ${size}`).to.equal(true);
    }
    for (const { from, to, proof } of reference.consistency) {
      const [from_root, to_root] = [present(roots[from - 1]), present(roots[to - 1])];
      const given = { from, to, from_root, to_root, proof: proof.map(hexTo64) };
      expect(verifyConsistency(given), `${from} to ${to}`).to.equal(true);
    }
    for (const [i, root] of reference.roots.entries()) {
      const some = reference.leaves.slice(0, i + 1).map((hex) => Buffer.from(hex, 'hex'));
      expect(treeHash(some).toString('hex')).to.equal(root);
    }
  });

  it('hold for every leaf and every pair of sizes, and for no other index or size', () => {
    for (let size = 1; size <= largest; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const inclusion = inclusionOf(index, size);
        expect(verifyInclusion(inclusion), `${index} of ${size}`).to.equal(true);
        for (let other = 0; other <= size; other += 1)
          if (other !== index)
            expect(verifyInclusion({ ...inclusion, leaf_index: other }), `${index} as ${other}`).to.equal(
              false,
            );
        const consistency = consistencyOf(index + 1, size);
        expect(verifyConsistency(consistency), `${index + 1} to ${size}`).to.equal(true);
        for (let other = 0; other <= size + 1; other += 1)
          if (other !== index + 1)
            expect(verifyConsistency({ ...consistency, from: other }), `${index + 1} as ${other}`).to.equal(
              false,
            );
      }
    }
  });

  it('detect every flipped bit, and every proof that is cut, longer or in another order', () => {
    const inclusion = inclusionOf(5, 11);
    for (const proof of otherProofs(inclusion.proof))
      expect(verifyInclusion({ ...inclusion, proof })).to.equal(false);
    const consistency = consistencyOf(6, 11);
    for (const proof of otherProofs(consistency.proof))
      expect(verifyConsistency({ ...consistency, proof })).to.equal(false);
    for (let bit = 0; bit < 256; bit += 1) {
      for (const field of ['leaf_hash', 'root'] as const)
        expect(verifyInclusion({ ...inclusion, [field]: flipped(inclusion[field], bit) })).to.equal(false);
      for (const field of ['from_root', 'to_root'] as const)
        expect(verifyConsistency({ ...consistency, [field]: flipped(consistency[field], bit) })).to.equal(
          false,
        );
    }
  });

  it('detect a fork: no proof leads from a head to a log with a different entry below it', () => {
    const fork = leaves(11).with(3, Buffer.from('another'));
    const proof = consistencyPath(6, fork).map(base64);
    expect(verifyConsistency({ ...consistencyOf(6, 11), to_root: base64(treeHash(fork)), proof })).to.equal(
      false,
    );
  });

  it('throw a TypeError for malformed input', () => {
    const inclusion = inclusionOf(5, 11);
    const consistency = consistencyOf(6, 11);
    const malformed: object[] = [
      { root: 'AAAA' },
      { root: inclusion.root.slice(0, -1) },
      { root: ` ${inclusion.root}` },
      { root: null },
      { size: '11' },
      { size: 1.5 },
      { size: -1 },
      { leaf_index: -1 },
      { leaf_hash: 7 },
      { proof: undefined },
      { proof: [1] },
      { proof: inclusion.proof.join() },
    ];
    for (const change of malformed)
      expect(() => verifyInclusion({ ...inclusion, ...change }), JSON.stringify(change)).to.throw(TypeError);
    for (const change of [
      { from: '6' },
      { to: NaN },
      { from_root: 'x' },
      { to_root: '' },
      { proof: {} as never },
    ])
      expect(() => verifyConsistency({ ...consistency, ...change } as never)).to.throw(TypeError);
  });
});
