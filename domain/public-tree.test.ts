import { expect } from 'chai';
import { treeHash } from '../contracts/audit/testing.ts';
import type { PublicTreeEvent } from '../contracts/events/public-tree.ts';
import { toId } from '../contracts/ids.ts';
import { publicTree, rootOfTree, type PublicTreeCommand } from './public-tree.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const at = '2026-11-26T10:00:00.000Z';
const leafOf = (index: number) => ({
  accountId: toId('account', `0197f1a0-0000-7000-8000-00000000000${index}`),
  pseudonym: String(index).repeat(43),
  size: index + 1,
  root: Buffer.alloc(32, index).toString('base64'),
});
const leaves = [1, 2, 3].map(leafOf);
const bytesOf = ({ pseudonym, size, root }: ReturnType<typeof leafOf>) =>
  Buffer.from(`${pseudonym}\n${size}\n${root}\n`);
const rootOf = (some: typeof leaves) => treeHash(some.map(bytesOf)).toString('base64');

const chunk = { first: 0, leaves, at };
const head = { origin: 'example.com/audit', size: 3, root: rootOf(leaves), note: 'a signed note', at };
const { HeadsAnchored, PublicHeadSigned } = eventBuilders<PublicTreeEvent>({
  HeadsAnchored: chunk,
  PublicHeadSigned: head,
});
const { AnchorHeads, SignPublicHead } = commandBuilders<PublicTreeCommand>({
  AnchorHeads: chunk,
  SignPublicHead: head,
});
const { given } = deciderSpec(publicTree);

describe('the public tree', () => {
  it('accepts leaves at its end, and nowhere else', () => {
    given().when(AnchorHeads()).then(HeadsAnchored());
    given(HeadsAnchored())
      .when(AnchorHeads({ first: 3 }))
      .then(HeadsAnchored({ first: 3 }));
    for (const first of [0, 2, 4]) given(HeadsAnchored()).when(AnchorHeads({ first })).refused('conflict');
  });

  it('has the root of its leaves by RFC 6962, however they were appended', () => {
    const [one, two, three] = leaves as [(typeof leaves)[0], (typeof leaves)[0], (typeof leaves)[0]];
    given(HeadsAnchored({ leaves: [one] }), HeadsAnchored({ first: 1, leaves: [two] }))
      .when(AnchorHeads({ first: 2, leaves: [three] }))
      .leaves((tree) => expect(rootOfTree(tree)).to.equal(rootOf(leaves)));
    given()
      .when(AnchorHeads())
      .leaves((tree) => expect(rootOfTree(tree)).to.equal(rootOf(leaves)));
  });

  it('is signed only in its present state, and once for each size', () => {
    given(HeadsAnchored()).when(SignPublicHead()).then(PublicHeadSigned());
    given(HeadsAnchored(), PublicHeadSigned())
      .when(SignPublicHead({ note: 'another' }))
      .nothing();
    given(HeadsAnchored(), PublicHeadSigned())
      .when(SignPublicHead({ origin: 'example.com/audit-new' }))
      .then(PublicHeadSigned({ origin: 'example.com/audit-new' }));
    given(HeadsAnchored())
      .when(SignPublicHead({ size: 2 }))
      .refused('conflict');
    given(HeadsAnchored())
      .when(SignPublicHead({ root: rootOf([leafOf(4)]) }))
      .refused('conflict');
    given().when(SignPublicHead()).refused('conflict');
    given(HeadsAnchored(), PublicHeadSigned(), HeadsAnchored({ first: 3, leaves: [leafOf(4)] }))
      .when(SignPublicHead({ size: 4, root: rootOf([...leaves, leafOf(4)]) }))
      .then(PublicHeadSigned({ size: 4, root: rootOf([...leaves, leafOf(4)]) }));
  });
});
