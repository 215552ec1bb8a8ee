import { unkeyed } from './receipt.ts';

/** One step, from the data of a version to that of the next. Pure: the same input gives the same output for ever. */
export type Upcaster = (older: unknown) => unknown;

/** Per category and type: the step from version 1 to 2, then from 2 to 3, and so on up to the type's current version. */
export type Upcasters = Readonly<Record<string, Readonly<Record<string, readonly Upcaster[]>>>>;

/**
 * Sessions had no profiles at first, removals from a team did not say what the member had made, receipts had digests without a key
 * and answers in clear, and turns of agents had one round.
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
