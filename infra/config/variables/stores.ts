import { eventStoreUrl } from '../event-store-url.ts';
import { duration, integer, optional, secretUrl, standard, url } from '../kinds.ts';

/** Stores of events, read models and wake-ups. */
export const stores = {
  EVENTSTORE_URL: optional(
    eventStoreUrl,
    'URL of EventStoreDB; default: the embedded event store is started.',
  ),
  POSTGRES_URL: optional(
    secretUrl('postgres', 'postgresql'),
    'URL of a Postgres database; default: the embedded Postgres is started.',
  ),
  QUEUE_URL: optional(
    secretUrl('postgres', 'postgresql', 'redis', 'rediss'),
    "Store of BullMQ's jobs; default: `POSTGRES_URL`.",
  ),
  BLOB_URL: optional(
    url('file', 's3'),
    "Store of profiles' sealed states: `file:///directory`, or `s3://bucket/prefix?endpoint=…&region=…` with credentials from the AWS SDK's environment; default: `DATA_DIR/blobs`. The same for every process.",
  ),
  QUEUE_LOCK: standard(
    duration,
    '40s',
    'Lock of a wake-up by a worker, after which another worker takes over; longer than the work of any wake-up.',
  ),
  POSTGRES_POOL_SIZE: standard(integer(1, 500), '10', 'Postgres connections per process.'),
  APPEND_DEADLINE: standard(
    duration,
    '10s',
    'How long an append whose outcome is unknown is retried before the request is answered 503.',
  ),
  STATE_CACHE: standard(
    integer(0),
    '2000',
    'Maximum cached states of streams per process, about 9 to 15 kB each; each use is still checked against the stream.',
  ),
  CAUSES_KEPT: standard(
    duration,
    '30d',
    'Retention of the causes of events and of recorded answers to requests, in whole days, at least one.',
  ),
  READ_YOUR_WRITES_WAIT: standard(
    duration,
    '1s',
    "Maximum wait of a read for the read model to include the caller's last write.",
  ),
} as const;
