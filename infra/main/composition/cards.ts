import { randomUUID } from 'node:crypto';
import { createObserver } from '../../../commands/card-billing/observe.ts';
import {
  cardCheckSweeps,
  cardEntitlementsManager,
  cardErasuresManager,
  cardEventsManager,
  cardMailsManager,
  type CardProcessorPorts,
  type Processes,
} from '../../../commands/process-managers/index.ts';
import { cardChecksDue, cardChecksWanted } from '../../../projections/queries/card-billing.ts';
import type { CardOptions } from '../../../write-api/card-billing/card-billing.ts';
import { createStripeProcessor } from '../../payments/card/stripe.ts';
import type { CardProcessor } from '../../payments/card/types.ts';
import { createCardChecks } from '../../ephemeral/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { consoleUrl } from './links.ts';
import type { Ports } from './ports.ts';

type Opening = Pick<RoleContext, 'config' | 'clock' | 'logger'>;

/** Undefined unless its keys are configured. */
export function openCardProcessor({ config, clock, logger }: Opening): CardProcessor | undefined {
  const { CARD_SECRET_KEY: secretKey, CARD_WEBHOOK_SECRET: webhookSecret } = config;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  return createStripeProcessor({
    ...{ apiUrl: config.CARD_API_URL, secretKey, webhookSecret, prices: config.CARD_PRICES },
    returnUrl: `${consoleUrl(config)}/billing`,
    ...{ clock, logger },
  });
}

/** Where a read notes that the processor is to be asked; undefined without one. */
export const openCardChecks = ({
  config,
  clock,
  logger,
  pool,
}: Pick<Ports, 'config' | 'clock' | 'logger' | 'pool'>) =>
  config.CARD_SECRET_KEY === undefined ? undefined : createCardChecks({ pool, clock, logger });

/** What the write side takes money with. */
export function cardOptions(context: RoleContext): CardOptions {
  const callbacks = context.metrics.counter(
    'service_card_callbacks_total',
    'Callbacks of the card processor, by whether they were kept',
    'outcome',
  );
  return { processor: openCardProcessor(context), onCallback: (outcome) => callbacks({ outcome }) };
}

/** What follows from payments by card. Without a processor, only from what was recorded when there was one. */
export function cardProcesses(ports: Ports): Processes {
  const managers = [cardEntitlementsManager(ports), cardMailsManager(ports)];
  const processor = openCardProcessor(ports);
  if (processor === undefined) return { managers, sweeps: [] };
  const { asking, sweeps } = askingProcesses(ports, processor);
  return { managers: [...managers, ...asking], sweeps };
}

/** How long an account that was asked about in vain is left alone, milliseconds. */
const retryMs = 60_000;

function askingProcesses({ config, clock, logger, metrics, pool, runner }: Ports, processor: CardProcessor) {
  const worked = metrics.counter(
    'service_card_events_total',
    'Callbacks of the card processor that were worked on, by what they told',
    'outcome',
  );
  const checked = metrics.counter(
    'service_card_checks_total',
    'Accounts that the card processor was asked about without a callback, by what that told',
    'outcome',
  );
  const checks = createCardChecks({ pool, clock, logger });
  const newUuid = randomUUID;
  const observe = createObserver({ runner, clock, processor, checks, newUuid });
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  const onCallback: CardProcessorPorts['onCallback'] = (outcome) => worked({ outcome });
  const ports = { runner, clock, processor, observe, onCallback };
  const everyMs = config.CARD_RECONCILE_EVERY;
  return {
    asking: [cardEventsManager(ports), cardErasuresManager(ports)],
    sweeps: cardCheckSweeps({
      ...{ observe, checks, newUuid, everyMs, logger },
      wanted: (limit) => cardChecksWanted(pool, { before: ago(retryMs), limit }),
      due: (limit) => cardChecksDue(pool, { before: ago(Math.min(retryMs, everyMs)), limit }, ago(everyMs)),
      onChecked: (outcome) => checked({ outcome }),
    }),
  };
}
