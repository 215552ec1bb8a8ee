import { unkeyed } from './receipt.ts';

/** One step, from a version's data to the next version's. Pure. */
export type Upcaster = (older: unknown) => unknown;

/** By category and type: the steps from version 1 to 2, from 2 to 3, and so on up to the current version. */
export type Upcasters = Readonly<Record<string, Readonly<Record<string, readonly Upcaster[]>>>>;

/**
 * Version 1 sessions had no profiles, removals from a team no list of what the member had made, receipts unkeyed digests and
 * answers in clear, and agents' turns one round.
 */
export const upcasters: Upcasters = {
  session: { SessionRequested: [(older) => ({ ...(older as object), profileId: null })] },
  agent_session: {
    TurnDecomposed: [(older) => ({ ...(older as object), round: 1, after: null })],
    TurnSettled: [(older) => ({ ...(older as object), limit: null })],
  },
  receipt: {
    ReceiptAdmitted: [
      (older) => {
        const { bodyHash, ...rest } = older as { readonly bodyHash: string };
        return { ...rest, digest: unkeyed(bodyHash) };
      },
    ],
    ReceiptSettled: [(older) => ({ ...(older as object), sealed: false })],
  },
  team_member: {
    TeamMemberRemoved: [(older) => ({ ...(older as object), made: null, revokes: false })],
  },
};
