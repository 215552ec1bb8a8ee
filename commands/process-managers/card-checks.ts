import type { Logger } from 'pino';
import type { AccountId } from '../../contracts/ids.ts';
import type { CardChecks } from '../../infra/ephemeral/index.ts';
import type { Observe } from '../card-billing/observe.ts';
import { systemContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import type { Sweep } from './engine/host.ts';

export interface CardCheckPorts {
  readonly observe: Observe;
  readonly checks: Pick<CardChecks, 'claim'>;
  /** Accounts whose check a reader requested. */
  readonly wanted: (limit: number) => Promise<readonly AccountId[]>;
  /** Accounts whose check is due. */
  readonly due: (limit: number) => Promise<readonly AccountId[]>;
  /** Maximum age of an account's recorded state, in milliseconds. */
  readonly everyMs: number;
  readonly newUuid: () => string;
  readonly onChecked: (outcome: 'unchanged' | 'changed' | 'failed') => void;
  readonly logger: Logger;
}

/** Maximum accounts per sweep, and their concurrency; the next sweep takes more. */
const sweepLimit = 200;
const atOnce = 4;

const wantedEveryMs = 1000;
const dueEveryMs = 60_000;

/** Detects changes whose callbacks were lost. */
export const cardCheckSweeps = (ports: CardCheckPorts): readonly Sweep[] => [
  {
    name: 'card checks wanted',
    everyMs: wantedEveryMs,
    run: (signal) => checkAll(ports, ports.wanted, signal),
  },
  {
    name: 'card checks due',
    everyMs: Math.min(dueEveryMs, ports.everyMs),
    run: (signal) => checkAll(ports, ports.due, signal),
  },
];

async function checkAll(
  ports: CardCheckPorts,
  find: CardCheckPorts['due'],
  signal: AbortSignal,
): Promise<void> {
  const claimAndCheck = async (accountId: AccountId) => {
    await ports.checks.claim([accountId]);
    await check(ports, accountId);
  };
  await inBatches(await find(sweepLimit), atOnce, claimAndCheck, signal);
}

/** A failed check is retried by a later sweep. */
async function check(
  { observe, newUuid, onChecked, logger }: CardCheckPorts,
  accountId: AccountId,
): Promise<void> {
  try {
    const isNews = await observe(accountId, {}, systemContext(`card check ${newUuid()}`, 'timer:card-check'));
    if (isNews)
      logger.info(
        { account_id: accountId },
        'The card processor reported a change for which no callback had arrived.',
      );
    onChecked(isNews ? 'changed' : 'unchanged');
  } catch (error) {
    logger.warn(
      { err: error, account_id: accountId },
      'The card processor could not be asked about an account.',
    );
    onChecked('failed');
  }
}
