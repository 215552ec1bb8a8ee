import type { Logger } from 'pino';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Call } from '../infra/http/index.ts';
import type { NoteKey, NoteKeys } from '../infra/notes/note-keys.ts';
import { AccountErased, SealUnreadable } from '../infra/vault/index.ts';
import {
  HeadContradicted,
  SigningStopped,
  type HeadSigner,
  type SignedHead,
} from '../projections/audit/signing.ts';
import { auditHead } from '../projections/queries/audit-head.ts';
import type { Reader } from './engine/credentials.ts';
import { behind } from './engine/fresh-reads.ts';
import type { Read } from './engine/reading.ts';

/** Signs the head of an account's audit log. Throws if signing is not possible. `stale`: the log may have more entries. */
export type SignedHeads = (accountId: AccountId, stale: boolean) => Promise<SignedHead>;

/** Reasons for an operator to investigate. */
const unsigned = [HeadContradicted, SigningStopped, SealUnreadable];

/** @param signHead undefined: this process does not sign */
export const signedHeads =
  (signHead: HeadSigner | undefined, logger: Logger): SignedHeads =>
  async (accountId, stale) => {
    if (signHead === undefined)
      throw refuse('not-found', 'The heads of a past read side are not signed. Ask the live service.');
    try {
      return await signHead(accountId);
    } catch (error) {
      if (error instanceof AccountErased) throw refuse('not-found');
      // A log that is being made again is shorter than what was signed.
      if (stale && error instanceof HeadContradicted && error.contradiction === 'shorter') throw behind();
      if (!unsigned.some((kind) => error instanceof kind)) throw error;
      logger.error({ err: error, account_id: accountId }, 'A head of an audit log is not signed.');
      throw refuse(
        'feature-unavailable',
        'The head of the audit log cannot be signed without contradicting what was signed of it. An operator has to look at it.',
        { retry_after_seconds: 60 },
      );
    }
  };

/** Signed heads of audit logs, and their keys. */
export const auditHeadReads = (
  read: Read,
  { noteKeys, signed }: { readonly noteKeys: Pick<NoteKeys, 'list'>; readonly signed: SignedHeads },
) => ({
  'audit-log.checkpoint': {
    run: async (call: Call<'audit-log.checkpoint', Reader, never>) => {
      const { accountId } = call.caller;
      const { stale, freshness } = await read(call, auditHead, { accountId });
      const { note, size, root, at } = await signed(accountId, stale);
      return { body: { checkpoint: note, size, root, at }, ...freshness };
    },
  },
  'audit-log.keys': {
    run: async () => {
      const keys = await noteKeys.list();
      const shown = ({ vkey, from, until, introduction }: NoteKey) => ({ vkey, from, until, introduction });
      return { body: { keys: keys.map(shown) } };
    },
  },
});
