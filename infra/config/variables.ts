import {
  cidrs,
  duration,
  integer,
  key256,
  oneOf,
  path,
  port,
  secret,
  secretUrl,
  text,
  url,
  urls,
  type Kind,
} from './kinds.ts';

export interface Variable<T> {
  readonly kind: Kind<T>;
  /** As it would be written in the environment. Absent: the variable may stay unset. */
  readonly default?: string;
  readonly section: Section;
  readonly description: string;
}

export interface VariableWithDefault<T> extends Variable<T> {
  readonly default: string;
}

export const sections = {
  addresses: 'Addresses and files',
  stores: 'Stores',
  secrets: 'Secrets',
  sessions: 'Sessions',
  access: 'Keys and access',
  fleet: 'Browsers and nodes',
  operation: 'Operation',
} as const;
export type Section = keyof typeof sections;

const group = (section: Section) => ({
  standard: <T>(kind: Kind<T>, standard: string, description: string): VariableWithDefault<T> => ({
    kind,
    default: standard,
    section,
    description,
  }),
  optional: <T>(kind: Kind<T>, description: string): Variable<T> => ({ kind, section, description }),
});

const addresses = group('addresses');
const stores = group('stores');
const secrets = group('secrets');
const sessions = group('sessions');
const access = group('access');
const fleet = group('fleet');
const operation = group('operation');

/** Every variable the service reads, with the contract's values as defaults. */
export const variables = {
  HOST: addresses.standard(
    text,
    '127.0.0.1',
    'The interface the gateway listens on; everything else stays on loopback.',
  ),
  PORT: addresses.standard(port, '8080', 'The gateway: the one address clients use.'),
  WRITE_PORT: addresses.standard(port, '8081', 'write-api.'),
  READ_PORT: addresses.standard(port, '8082', 'read-api.'),
  PROJECTOR_PORT: addresses.standard(port, '8083', 'Health and metrics of the projector.'),
  PROCESSES_PORT: addresses.standard(port, '8084', 'Health and metrics of the process managers.'),
  WORKER_PORT: addresses.standard(port, '8085', 'Health and metrics of the worker.'),
  NODE_PORT: addresses.standard(port, '8086', 'The browser node: the fleet protocol.'),
  NODE_HEALTH_PORT: addresses.standard(port, '8087', 'Health and metrics of the browser node.'),
  WRITE_URL: addresses.optional(
    url('http', 'https'),
    'Where the gateway and the node find write-api; `WRITE_PORT` on loopback when unset.',
  ),
  READ_URL: addresses.optional(
    url('http', 'https'),
    'Where the gateway finds read-api; `READ_PORT` on loopback when unset.',
  ),
  BASE_URL: addresses.optional(
    url('http', 'https'),
    "The address clients know the service by, shown in `/openapi.json`; the gateway's own when unset.",
  ),
  ERRORS_BASE: addresses.standard(
    url('http', 'https'),
    'https://errors.service.example',
    'Problem types are addresses below this one.',
  ),
  DATA_DIR: addresses.standard(
    path,
    '.data',
    'Embedded stores, generated secrets, logs and browser directories.',
  ),
  EVENTSTORE_URL: stores.optional(
    secretUrl('esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'),
    'An EventStoreDB; when unset, the embedded event store is started.',
  ),
  POSTGRES_URL: stores.optional(
    secretUrl('postgres', 'postgresql'),
    'A Postgres database; when unset, the embedded Postgres is started.',
  ),
  QUEUE_URL: stores.optional(
    secretUrl('postgres', 'postgresql', 'redis', 'rediss'),
    'Where BullMQ keeps its jobs; `POSTGRES_URL` when unset.',
  ),
  POSTGRES_POOL_SIZE: stores.standard(integer(1, 500), '10', 'Connections of each process to Postgres.'),
  APPEND_DEADLINE: stores.standard(
    duration,
    '10s',
    'How long an append whose outcome is unknown is retried before the caller is told 503.',
  ),
  READ_YOUR_WRITES_WAIT: stores.standard(
    duration,
    '1s',
    "How long a read waits for the read model to pass the caller's last write.",
  ),
  MASTER_KEY: secrets.optional(
    key256,
    'Wraps the data keys of the vault. Lose it and what they seal is lost. Generated into `DATA_DIR` when unset.',
  ),
  KEY_PEPPER: secrets.optional(
    secret,
    'Keys the hashes of API keys and e-mail addresses. Generated into `DATA_DIR` when unset.',
  ),
  CURSOR_KEY: secrets.optional(secret, 'Signs the cursors of lists. Generated into `DATA_DIR` when unset.'),
  NODE_JOIN_TOKEN: secrets.optional(
    secret,
    'Admits a node when it registers first. Generated into `DATA_DIR` when unset.',
  ),
  FREE_SESSION_LIMIT: sessions.standard(duration, '20m', 'Wall-clock life of a free-tier session.'),
  OPERATION_TIMEOUT_GRACE: sessions.standard(
    duration,
    '15s',
    "How long past an operation's `timeout_ms` a silent browser is waited for before the session is errored.",
  ),
  CREATION_LEASE: sessions.standard(
    duration,
    '60s',
    'A creation that settled neither way within this is errored and its slot freed.',
  ),
  SLOT_LEASE: sessions.standard(
    duration,
    '90s',
    'A slot whose session never came to be is freed after this.',
  ),
  SWEEP_INTERVAL: sessions.standard(
    duration,
    '30s',
    'How often due timers without a wake-up are looked for.',
  ),
  KEY_GRACE: access.standard(duration, '24h', 'How long a rotated API key keeps working.'),
  KEY_CACHE_TTL: access.standard(
    duration,
    '5s',
    'How long a process believes what it knows of a key or account; a revocation is pushed at once.',
  ),
  IDEMPOTENCY_RETENTION: access.standard(
    duration,
    '24h',
    'How long a settled answer is replayed to its `Idempotency-Key`.',
  ),
  DRIVER: fleet.standard(
    oneOf('webkit', 'simulated'),
    'webkit',
    'The browsers of the local node. `simulated` runs scripted pages without any browser.',
  ),
  NODE_CAPACITY: fleet.standard(integer(1, 1000), '32', 'Sessions the local node runs at once.'),
  NODE_NAME: fleet.standard(text, 'local', 'What the local node is called in `nodes list`.'),
  WARM_BROWSERS: fleet.standard(integer(0, 100), '1', 'Started browsers kept ready for the next create.'),
  HEARTBEAT_INTERVAL: fleet.standard(duration, '2s', 'How often a node says that it lives.'),
  NODE_LOST_AFTER: fleet.standard(
    duration,
    '15s',
    'A node silent for this long is lost and its sessions are errored.',
  ),
  OUTBOUND_ALLOW: fleet.standard(cidrs, '', 'Private ranges that pages may be loaded from; for development.'),
  SEARCH_ENGINE_URL: fleet.optional(
    url('http', 'https'),
    'Result page of the search operation; `{query}` stands for the words. When unset, search answers 503.',
  ),
  LOG_LEVEL: operation.standard(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal'),
    'info',
    'The least severe line that is logged.',
  ),
  SHUTDOWN_LIMIT: operation.standard(
    duration,
    '20s',
    'How long a process may finish what it has begun after it was told to stop.',
  ),
  READY_PEERS: operation.optional(
    urls('http', 'https'),
    "Processes whose `/readyz` must answer 200 for the gateway's to; `npm start` fills it in.",
  ),
} as const;
