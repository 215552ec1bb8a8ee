import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { subscription, type CardCustomer } from '../../domain/subscription.ts';
import type { CardProcessor, CardQuestion } from '../../infra/payments/card/types.ts';
import type { CardChecks } from '../../infra/ephemeral/index.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface ObserverPorts extends CommandPorts {
  readonly processor: Pick<CardProcessor, 'ask'>;
  readonly checks: Pick<CardChecks, 'answered'>;
  readonly newUuid: () => string;
}

/** Queries the processor for the present state of an account and records it. Returns whether it had changed. */
export type Observe = (
  accountId: AccountId,
  named: Omit<CardQuestion, 'customerId' | 'tiers'>,
  context: CommandContext,
) => Promise<boolean>;

/** Maximum number of queries, repeated if another process recorded an answer meanwhile. */
const maxTries = 5;

/**
 * Queries of one account are serialised: each starts after the previous answer is recorded, so that an old answer never replaces
 * a newer one. A concurrent query by another process is detected by the count of changes.
 */
export function createObserver(ports: ObserverPorts): Observe {
  const last = new Map<AccountId, Promise<unknown>>();
  return (accountId, named, context) => {
    const work = () => observe(ports, accountId, named, context);
    const mine = (last.get(accountId) ?? Promise.resolve()).then(work, work);
    last.set(accountId, mine);
    const leave = (): void => {
      if (last.get(accountId) === mine) last.delete(accountId);
    };
    mine.then(leave, leave);
    return mine;
  };
}

async function observe(
  ports: ObserverPorts,
  accountId: AccountId,
  named: Omit<CardQuestion, 'customerId' | 'tiers'>,
  context: CommandContext,
): Promise<boolean> {
  const { runner, clock, processor, checks } = ports;
  for (let tries = 1; ; tries += 1) {
    const { state } = await runner.load(subscription, uuidOf(accountId));
    if (state.status === 'none') return false;
    const askedAt = clock.now();
    const answer = await processor.ask({ customerId: state.customerId, tiers: tiersOf(state), ...named });
    const command = { type: 'RecordAnswer', basedOn: state.changes, ...answer, at: now(ports) } as const;
    // Answers differ between tries, and so do their events: their ids must differ too.
    const step = { ...ownedContext(context, accountId), commandId: ports.newUuid() };
    try {
      const { events } = await runner.run(subscription, uuidOf(accountId), command, step);
      await checks.answered(accountId, askedAt);
      return events.length > 0;
    } catch (error) {
      const overtaken = error instanceof Refusal && error.slug === 'conflict';
      if (!overtaken || tries === maxTries) throw error;
    }
  }
}

const tiersOf = ({ subscriptions }: CardCustomer): NonNullable<CardQuestion['tiers']> =>
  Object.fromEntries(Object.entries(subscriptions).map(([id, known]) => [id, known?.tier ?? null]));
