import { auditHeadEvents, type AuditHeadEvent } from '../contracts/events/audit-head.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider } from './kit/decider.ts';

type Signed = DataOf<AuditHeadEvent, 'AuditHeadSigned'>;

/** The newest signed head; null if there is none. */
export type AuditHead = { readonly head: Pick<Signed, 'log' | 'size' | 'root'> | null };

export type AuditHeadCommand = CommandsOf<{ RecordSignedHead: Omit<Signed, 'at'> }>;

/** Each size of a log is recorded once, in ascending order. */
export const auditHead: Decider<AuditHead, AuditHeadCommand, AuditHeadEvent> = {
  category: auditHeadEvents,
  initialState: { head: null },
  decide: decideBy<AuditHead, AuditHeadCommand, AuditHeadEvent>({
    RecordSignedHead: ({ head }, { type: _, ...data }) => {
      if (head === null || head.log !== data.log || head.size < data.size)
        return [{ type: 'AuditHeadSigned', data }];
      if (head.size === data.size && head.root !== data.root)
        throw refuse('conflict', `Another head of ${head.size} entries is signed.`);
      return [];
    },
  }),
  evolve: (_state, { data: { log, size, root } }) => ({ head: { log, size, root } }),
  snapshotEvery: 100,
};
