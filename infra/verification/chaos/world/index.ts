import { join } from 'node:path';
import { startFaultyStack, type FaultyStack } from '../../testbed/faulty-stack.ts';
import {
  startSmtpServer,
  startTcpProxy,
  type TcpProxy,
  type TestReceivers,
  type TestSmtpServer,
} from '../../testbed/index.ts';
import { planning, startModelProvider, type TestModelProvider } from '../../testbed/model-provider.ts';
import { linkNames, type LinkName } from '../../testbed/stack-links.ts';
import { History } from '../history.ts';
import { createClock, type Clock } from './clock.ts';
import { openOperator, type Operator } from './operator.ts';
import { startPayments, type Payments } from './payments.ts';
import { startCustomers } from './receivers.ts';

export type QueueKind = 'redis' | 'postgres';

/** The service under test with everything that can be done to it, and what was done. */
export interface World {
  readonly stack: FaultyStack;
  readonly queue: QueueKind;
  readonly operator: Operator;
  readonly clock: Clock;
  readonly history: History;
  /** Where customers' endpoints are, and where the mail goes. */
  readonly receivers: TestReceivers;
  readonly mailbox: TestSmtpServer;
  /** What agents ask that the grammar does not understand: it always says the same. */
  readonly model: TestModelProvider;
  readonly payments: Payments;
  /** The network between the service and the mail server. */
  readonly mailLink: TcpProxy;
  readonly driverLog: string;
  /** Processes that were killed on purpose, one entry a kill. */
  readonly kills: string[];
}

/** So many failed attempts in a row disable an endpoint. */
export const DISABLE_AFTER = 12;

/** The contract's durations, shortened so that what a fault leaves behind settles within a run. */
const durations = {
  HEARTBEAT_INTERVAL: '250ms',
  NODE_STALE_AFTER: '4s',
  NODE_LOST_AFTER: '6s',
  CREATION_DEADLINE: '4s',
  CREATION_LEASE: '7s',
  SLOT_LEASE: '5s',
  SAVE_LEASE: '8s',
  // Shorter than the clients' patience.
  PROFILE_WAIT: '5s',
  FREE_SESSION_LIMIT: '3s',
  SWEEP_INTERVAL: '500ms',
  OPERATION_TIMEOUT: '3s',
  NODE_OPERATION_GRACE: '1s',
  OPERATION_TIMEOUT_GRACE: '2s',
  APPEND_DEADLINE: '4s',
  KEY_CACHE_TTL: '1s',
  TURN_LEASE: '5s',
  PAIR_HEARTBEAT: '3s',
  QUEUE_LOCK: '5s',
  WEBHOOK_BACKOFF: '500ms,500ms,1s,1s,2s',
  WEBHOOK_TIMEOUT: '1s',
  WEBHOOK_SECRET_GRACE: '6s',
  WEBHOOK_SECRET_REMINDER: '12s',
  // Longer than any fault lasts: a mail that is given up for want of a server would be one that is missing.
  MAIL_BACKOFF: '500ms,500ms,1s,1s,1s,2s,2s,2s,4s,4s,4s',
  MAIL_TIMEOUT: '3s',
  CRYPTO_WINDOW: '3s',
  // The search for callbacks that were lost comes as often.
  CRYPTO_SWEEP_AFTER: '5s',
  CARD_RECONCILE_EVERY: '3s',
};
const counts = { WEBHOOK_DISABLE_AFTER: String(DISABLE_AFTER), NODE_CAPACITY: '200' };

const environment = {
  ...durations,
  ...counts,
  RATE_LIMITS: 'off',
  OUTBOUND_ALLOW: '127.0.0.0/8',
  MAIL_FROM: 'service@example.com',
};

export async function startWorld(queue: QueueKind, dataDir: string): Promise<World> {
  const driverLog = join(dataDir, 'driver.log');
  const clock = createClock(dataDir);
  const [receivers, mailbox, model, payments] = await Promise.all([
    startCustomers(),
    startSmtpServer(),
    startModelProvider(),
    startPayments(clock),
  ]);
  model.otherwise(planning([{ kind: 'navigate', url: 'http://sim.test/slow?ms=40' }]));
  const mailLink = await startTcpProxy({ host: '127.0.0.1', port: mailbox.port });
  const env = {
    ...environment,
    ...{ DRIVER_LOG: driverLog, LLM_BASE_URL: model.url, SMTP_URL: mailLink.through(mailbox.url) },
    ...clock.environment,
    ...payments.environment,
  };
  const through = linkNames.filter((name: LinkName) => name !== 'redis' || queue === 'redis');
  const stack = await startFaultyStack({ dataDir, env, through, limitMs: 120_000 });
  payments.callBackTo(stack.baseUrl);
  const operator = openOperator(stack);
  const history = new History();
  return {
    stack,
    queue,
    operator,
    clock,
    history,
    receivers,
    mailbox,
    model,
    payments,
    mailLink,
    driverLog,
    kills: [],
  };
}
