import { orderManagers, unsettledSweep, type Processes } from '../../../commands/process-managers/index.ts';
import { unsettledPayments } from '../../../projections/queries/order.ts';
import type { Commands } from './commands.ts';
import type { ProcessPorts } from './process-ports.ts';

/** Reactions to callbacks and paid orders, and the sweep for lost callbacks. */
export function orderProcesses(ports: ProcessPorts, { orders }: Pick<Commands, 'orders'>): Processes {
  const everyMs = Math.min(ports.askAgain.unsettledMs, ports.config.CRYPTO_SWEEP_AFTER);
  const unsettled = () => unsettledPayments(ports.pool);
  return {
    managers: orderManagers(orders),
    sweeps: [unsettledSweep({ ...ports, orders, unsettled, everyMs })],
  };
}
