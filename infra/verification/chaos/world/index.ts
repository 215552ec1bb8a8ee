import { join } from 'node:path';
import { freePort } from '../../../platform/free-port.ts';
import { startFaultyStack, type FaultyStack } from '../../testbed/faulty-stack.ts';
import {
  startSmtpServer,
  startTcpProxy,
  tempDir,
  type TcpProxy,
  type TestReceivers,
  type TestSmtpServer,
} from '../../testbed/index.ts';
import { smallBounds } from '../../hostile-pages/catalogue.ts';
import { startHostileSite, type HostileSite } from '../../hostile-pages/site.ts';
import { planning, startModelProvider, type TestModelProvider } from '../../testbed/model-provider.ts';
import { linkNames, type LinkName } from '../../testbed/stack-links.ts';
import { History } from '../history.ts';
import { createClock, type Clock } from './clock.ts';
import { LiveRecord } from './live.ts';
import { openOperator, type Operator } from './operator.ts';
import { startPayments, type Payments } from './payments.ts';
import { startCustomers } from './receivers.ts';

export type QueueKind = 'redis' | 'postgres';
/** Kind of the node's browsers. */
export type Browsers = 'simulated' | 'webkit';

/** The service under test, the means to break it, and a record of what was done. */
export interface World {
  readonly stack: FaultyStack;
  readonly queue: QueueKind;
  readonly browsers: Browsers;
  /** Pages for real browsers. */
  readonly site: HostileSite;
  readonly operator: Operator;
  readonly clock: Clock;
  readonly history: History;
  /** Customers' endpoints, and the mail server. */
  readonly receivers: TestReceivers;
  readonly mailbox: TestSmtpServer;
  /** Model for agents' messages outside the grammar, with a constant answer. */
  readonly model: TestModelProvider;
  readonly payments: Payments;
  /** The network between the service and the mail server. */
  readonly mailLink: TcpProxy;
  readonly driverLog: string;
  /** People who watch and drive. */
  readonly live: LiveRecord;
  /** URL at which a node reports its use of live view. */
  readonly videoUseUrl: string;
  /** Directories in which no frame may be. */
  readonly frameDirs: readonly string[];
  /** Processes that were killed on purpose, one entry for each kill. */
  readonly kills: string[];
}

/** Failed attempts in a row that disable an endpoint. */
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
  // Shorter than the clients' time limit.
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
  // Longer than any fault lasts: a mail that is dropped because its server is down would count as missing.
  MAIL_BACKOFF: '500ms,500ms,1s,1s,1s,2s,2s,2s,4s,4s,4s',
  MAIL_TIMEOUT: '3s',
  CRYPTO_WINDOW: '3s',
  // Intervals of the sweeps for lost callbacks.
  CRYPTO_SWEEP_AFTER: '5s',
  CARD_RECONCILE_EVERY: '3s',
  AUDIT_HEAD_INTERVAL: '2s',
  ANCHOR_INTERVAL: '10s',
};
const counts = { WEBHOOK_DISABLE_AFTER: String(DISABLE_AFTER), NODE_CAPACITY: '200' };

const environment = {
  ...durations,
  ...counts,
  RATE_LIMITS: 'off',
  OUTBOUND_ALLOW: '127.0.0.0/8',
  MAIL_FROM: 'service@example.com',
};

const driverOf: Readonly<Record<Browsers, Readonly<Record<string, string>>>> = {
  simulated: { SIMULATED_WINDOW: 'on' },
  // Real browsers start slowly and reach their bounds early.
  webkit: {
    DRIVER: 'webkit',
    WARM_BROWSERS: '1',
    ...smallBounds,
    CREATION_DEADLINE: '12s',
    CREATION_LEASE: '16s',
    SLOT_LEASE: '14s',
  },
};

/** Time limit for the start, and for the recovery after the last fault, on a machine with other work; in milliseconds. */
const READY_MS = 300_000;

export async function startWorld(queue: QueueKind, dataDir: string, browsers: Browsers): Promise<World> {
  const driverLog = join(dataDir, 'driver.log');
  const clock = createClock(dataDir);
  const [receivers, mailbox, model, payments, site] = await Promise.all([
    startCustomers(),
    startSmtpServer(),
    startModelProvider(),
    startPayments(clock),
    startHostileSite(),
  ]);
  model.otherwise(planning([{ kind: 'navigate', url: 'http://sim.test/slow?ms=40' }]));
  const [nodeHealthPort, runtimeDir] = [await freePort(), tempDir('browsers')];
  const mailLink = await startTcpProxy({ host: '127.0.0.1', port: mailbox.port });
  const env = {
    ...environment,
    ...driverOf[browsers],
    ...{ NODE_HEALTH_PORT: String(nodeHealthPort), WEBKIT_RUNTIME_DIR: runtimeDir },
    ...{ DRIVER_LOG: driverLog, LLM_BASE_URL: model.url, SMTP_URL: mailLink.through(mailbox.url) },
    ...clock.environment,
    ...payments.environment,
  };
  const through = linkNames.filter((name: LinkName) => name !== 'redis' || queue === 'redis');
  const stack = await startFaultyStack({ dataDir, env, through, limitMs: READY_MS });
  payments.callBackTo(stack.baseUrl);
  return {
    ...{ stack, queue, browsers, clock, receivers, mailbox, model, payments, site, mailLink, driverLog },
    live: new LiveRecord(),
    videoUseUrl: `http://127.0.0.1:${nodeHealthPort}/metrics`,
    frameDirs: [dataDir, runtimeDir],
    operator: openOperator(stack),
    history: new History(),
    kills: [],
  };
}
