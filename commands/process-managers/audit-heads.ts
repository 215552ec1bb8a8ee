import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { auditHead } from '../../domain/audit-head.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Logger } from '../../infra/logging/index.ts';
import { now, ownedContext, systemContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import type { Runner } from '../engine/runner.ts';
import type { Sweep } from './engine/host.ts';

/** A head of an account's audit log, and its signed note. */
export interface Head {
  readonly log: string;
  readonly size: number;
  readonly root: string;
  readonly note: string;
}

export interface AuditHeadPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Checks the signed notes against the log, and stops or resumes the signing. Resolves to the reason of a stop, or null; may reject
   * once the signal is aborted.
   */
  readonly check: (signal: AbortSignal) => Promise<string | null>;
  /** Accounts with entries not covered by a recorded note, ordered by id. */
  readonly unrecorded: (page: {
    readonly after: string;
    readonly limit: number;
  }) => Promise<readonly AccountId[]>;
  readonly sign: (accountId: AccountId) => Promise<Head>;
  /** Marks the note of this size as recorded. */
  readonly markRecorded: (head: Head & { readonly accountId: AccountId }) => Promise<unknown>;
}

const pageSize = 500;
/** Concurrency over accounts. */
const atOnce = 8;

/**
 * Signs the head of every account with new entries, and records the note, after the entries are in the log. Repeatable after a
 * crash: the same size gets the same note, which is recorded once.
 */
export const auditHeadSweep = (ports: AuditHeadPorts, everyMs: number): Sweep => ({
  name: 'audit heads',
  everyMs,
  run: async (signal) => {
    const stopped = await ports.check(signal);
    if (stopped !== null) {
      ports.logger.error(
        { reason: stopped },
        'Heads of audit logs are not signed; see docs/operations.md, Audit logs.',
      );
      return;
    }
    for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
      const accounts: readonly AccountId[] = await ports.unrecorded({ after, limit: pageSize });
      await inBatches(accounts, atOnce, (account) => signAndRecord(ports, account), signal);
      after = accounts.at(-1);
    }
  },
});

/** A failed account is retried in the next round. */
async function signAndRecord(ports: AuditHeadPorts, accountId: AccountId): Promise<void> {
  try {
    const { log, size, root, note } = await ports.sign(accountId);
    const command = { type: 'RecordSignedHead', accountId, log, size, root, note, at: now(ports) } as const;
    const context = systemContext(`audit head ${accountId} ${log} ${size}`, 'timer:audit-heads');
    await ports.runner.run(auditHead, uuidOf(accountId), command, ownedContext(context, accountId));
    await ports.markRecorded({ accountId, log, size, root, note });
  } catch (error) {
    ports.logger.error({ err: error, account_id: accountId }, 'A head of an audit log was not signed.');
  }
}
