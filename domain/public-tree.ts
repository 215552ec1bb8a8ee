import { publicLeafHash } from '../contracts/audit/public-leaf.ts';
import { grow, rootOf, type Frontier } from '../contracts/audit/tree.ts';
import { publicTreeEvents, type PublicTreeEvent } from '../contracts/events/public-tree.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider } from './kit/decider.ts';

export interface PublicTree {
  /** Number of leaves. */
  readonly size: number;
  /** Roots of its perfect subtrees, largest first, in base64. */
  readonly subtrees: readonly string[];
  /** Null before the first checkpoint. */
  readonly signed: { readonly origin: string; readonly size: number; readonly at: string } | null;
}

export type PublicTreeCommand = CommandsOf<{
  AnchorHeads: Omit<DataOf<PublicTreeEvent, 'HeadsAnchored'>, 'at'>;
  SignPublicHead: Omit<DataOf<PublicTreeEvent, 'PublicHeadSigned'>, 'at'>;
}>;

/**
 * Leaves are appended only at the expected size, and a head is signed only as it is, once: of two concurrent rounds of anchoring
 * one succeeds.
 */
export const publicTree: Decider<PublicTree, PublicTreeCommand, PublicTreeEvent> = {
  category: publicTreeEvents,
  initialState: { size: 0, subtrees: [], signed: null },
  decide: decideBy<PublicTree, PublicTreeCommand, PublicTreeEvent>({
    AnchorHeads: (tree, { type: _, ...data }) => {
      if (data.first !== tree.size) throw refuse('conflict', `The public tree has ${tree.size} leaves.`);
      return [{ type: 'HeadsAnchored', data }];
    },
    SignPublicHead: (tree, { type: _, ...data }) => {
      if (tree.signed?.origin === data.origin && tree.signed.size === data.size) return [];
      if (data.size !== tree.size || data.root !== rootOfTree(tree))
        throw refuse('conflict', `The public tree has another head, of ${tree.size} leaves.`);
      return [{ type: 'PublicHeadSigned', data }];
    },
  }),
  evolve: (tree, event) => {
    if (event.type === 'PublicHeadSigned') return { ...tree, signed: signedBy(event.data) };
    const frontier = frontierIn(tree);
    for (const leaf of event.data.leaves) grow(frontier, publicLeafHash(leaf));
    return { ...tree, size: frontier.size, subtrees: frontier.roots.map((root) => root.toString('base64')) };
  },
  snapshotEvery: 10,
};

const signedBy = ({ origin, size, at }: DataOf<PublicTreeEvent, 'PublicHeadSigned'>) => ({
  origin,
  size,
  at,
});

const frontierIn = ({ size, subtrees }: PublicTree): Frontier => ({
  size,
  roots: subtrees.map((root) => Buffer.from(root, 'base64')),
});

/** Base64. */
export const rootOfTree = (tree: PublicTree): string => rootOf(frontierIn(tree)).toString('base64');

/** The uuid of the one stream. */
export const publicTreeUuid = '4f0b6f0e-2f9c-5c3b-8d0a-7c1be0a5d9e2';
