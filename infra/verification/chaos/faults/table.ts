import { clockFaults } from './clock.ts';
import { diskFaults } from './disk.ts';
import type { Fault } from './fault.ts';
import { mailFaults } from './mail.ts';
import { networkFaults } from './network.ts';
import { paymentFaults } from './payments.ts';
import { processFaults } from './processes.ts';
import { queueFaults } from './queue.ts';
import { receiverFaults } from './receivers.ts';
import { storeSwitches } from './store-switches.ts';

/** All faults. A new feature adds its own here. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...networkFaults,
  ...queueFaults,
  ...receiverFaults,
  ...mailFaults,
  ...paymentFaults,
  ...storeSwitches,
  ...clockFaults,
  ...diskFaults,
];
