import { duration, integer, optional, secretUrl, standard, url } from '../kinds.ts';

/** What keeps the record, the read models and the wake-ups. */
export const stores = {
  EVENTSTORE_URL: optional(
    secretUrl('esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'),
    'An EventStoreDB; when unset, the embedded event store is started.',
  ),
  POSTGRES_URL: optional(
    secretUrl('postgres', 'postgresql'),
    'A Postgres database; when unset, the embedded Postgres is started.',
  ),
  QUEUE_URL: optional(
    secretUrl('postgres', 'postgresql', 'redis', 'rediss'),
    'Where BullMQ keeps its jobs; `POSTGRES_URL` when unset.',
  ),
  BLOB_URL: optional(
    url('file', 's3'),
    'Where the sealed states of profiles are: `file:///directory`, or `s3://bucket/prefix?endpoint=…&region=…` with the credentials that the AWS SDK finds in the environment; `DATA_DIR/blobs` when unset. Every process of the service must reach the same.',
  ),
  QUEUE_LOCK: standard(
    duration,
    '40s',
    'How long a wake-up stays with a worker that does not answer any more; longer than what one is for may take.',
  ),
  POSTGRES_POOL_SIZE: standard(integer(1, 500), '10', 'Connections of each process to Postgres.'),
  APPEND_DEADLINE: standard(
    duration,
    '10s',
    'How long an append whose outcome is unknown is retried before the request is answered 503.',
  ),
  STATE_CACHE: standard(
    integer(0),
    '2000',
    'Streams whose state each process keeps in memory, some 9 kB each; each use is still checked against the stream.',
  ),
  CAUSES_KEPT: standard(
    duration,
    '30d',
    'How long it is kept what led to each event and how each request was answered; by whole days, one at least.',
  ),
  READ_YOUR_WRITES_WAIT: standard(
    duration,
    '1s',
    "How long a read waits for the read model to pass the caller's last write.",
  ),
} as const;
