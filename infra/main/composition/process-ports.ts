import type { BlobStore } from '../../blobs/index.ts';
import type { CardProcessor } from '../../payments/card/types.ts';
import type { ProfileStates } from '../../profile-states/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import { openCardProcessor } from './payments.ts';
import type { Ports } from './ports.ts';
import { openProfileStates } from './profiles.ts';
import { openWakeUps, type QueueName } from './wake-ups.ts';

/** Ports of the process host. A test may replace those that `openProcessPorts` opens. */
export interface ProcessPorts extends Ports {
  readonly queues: Readonly<Record<Exclude<QueueName, 'mail'>, Waking>> & {
    /** Undefined without a mail server: mails are only queued. */
    readonly mail: Waking | undefined;
  };
  readonly blobs: BlobStore;
  readonly states: ProfileStates;
  /** Undefined unless its keys are configured. */
  readonly processor: CardProcessor | undefined;
  /** Intervals of queries to payment processors without a callback; milliseconds. */
  readonly askAgain: {
    /** Maximum interval of queries about unsettled crypto payments. */
    readonly unsettledMs: number;
    /** Interval after an unsuccessful query about an account. */
    readonly cardsMs: number;
  };
}

/** Wake-ups are scheduled here, and handled in other processes. */
export type Waking = Pick<WakeUps, 'schedule' | 'scheduleAll' | 'hasten'>;

export const openProcessPorts = async (ports: Ports): Promise<ProcessPorts> => ({
  ...ports,
  ...(await openProfileStates(ports)),
  processor: openCardProcessor(ports),
  askAgain: { unsettledMs: 60_000, cardsMs: 60_000 },
  queues: {
    timers: openWakeUps(ports, 'timers'),
    deliveries: openWakeUps(ports, 'deliveries'),
    mail: ports.config.SMTP_URL === undefined ? undefined : openWakeUps(ports, 'mail'),
  },
});
