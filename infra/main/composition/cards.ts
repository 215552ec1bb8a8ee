import { randomUUID } from 'node:crypto';
import { createObserver } from '../../../commands/card-billing/observe.ts';
import {
  cardCheckSweeps,
  cardCheckoutsManager,
  cardEntitlementsManager,
  cardErasuresManagers,
  cardEventsManager,
  cardMailsManager,
  type CardProcessorPorts,
  type Processes,
} from '../../../commands/process-managers/index.ts';
import { cardChecksDue, cardChecksWanted } from '../../../projections/queries/card-billing.ts';
import type { CardProcessor } from '../../payments/card/types.ts';
import { createCardChecks } from '../../ephemeral/index.ts';
import type { Ports } from './ports.ts';
import type { ProcessPorts } from './process-ports.ts';

/** Records, for a read, that the processor should be queried; undefined without a processor. */
export const openCardChecks = ({
  config,
  clock,
  logger,
  pool,
}: Pick<Ports, 'config' | 'clock' | 'logger' | 'pool'>) =>
  config.CARD_SECRET_KEY === undefined ? undefined : createCardChecks({ pool, clock, logger });

/** Reactions to payments by card. Without a processor, only to already recorded ones. */
export function cardProcesses(ports: ProcessPorts): Processes {
  const managers = [cardEntitlementsManager(ports), cardMailsManager(ports)];
  const { processor } = ports;
  if (processor === undefined) return { managers, sweeps: [] };
  const { asking, sweeps } = askingProcesses(ports, processor);
  return { managers: [...managers, ...asking], sweeps };
}

function askingProcesses(ports: ProcessPorts, processor: CardProcessor) {
  const { config, clock, logger, metrics, pool, runner } = ports;
  const { cardsMs: retryMs } = ports.askAgain;
  const worked = metrics.counter(
    'service_card_events_total',
    'Callbacks of the card processor that were processed, by outcome',
    'outcome',
  );
  const checked = metrics.counter(
    'service_card_checks_total',
    'Accounts that the card processor was asked about without a callback, by outcome',
    'outcome',
  );
  const checks = createCardChecks({ pool, clock, logger });
  const newUuid = randomUUID;
  const observe = createObserver({ runner, clock, processor, checks, newUuid });
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  const asked = (retryMs: number, limit: number) => ({ now: clock.now(), before: ago(retryMs), limit });
  const onCallback: CardProcessorPorts['onCallback'] = (outcome) => worked({ outcome });
  const asking = { runner, clock, processor, observe, onCallback };
  const everyMs = config.CARD_RECONCILE_EVERY;
  return {
    asking: [cardEventsManager(asking), cardCheckoutsManager(asking), ...cardErasuresManagers(asking)],
    sweeps: cardCheckSweeps({
      ...{ observe, checks, newUuid, everyMs, logger },
      wanted: (limit) => cardChecksWanted(pool, asked(retryMs, limit)),
      due: (limit) => cardChecksDue(pool, asked(Math.min(retryMs, everyMs), limit), ago(everyMs)),
      onChecked: (outcome) => checked({ outcome }),
    }),
  };
}
