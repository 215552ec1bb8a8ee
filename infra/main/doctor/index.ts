import { messageOf } from '../../platform/error-message.ts';
import { within } from '../../platform/timeout.ts';
import type { Config } from '../../config/index.ts';
import type { StackState } from '../supervisor/stack-file.ts';
import { ill, type Finding } from './finding.ts';
import { openPatient, type Patient } from './patient.ts';
import {
  certificates,
  heads,
  mail,
  nodes,
  parked,
  processes,
  projections,
  session,
  webhooks,
} from './parts.ts';
import { ports } from './ports.ts';
import { blobs, clock, disk, eventStore, postgres, queue } from './stores.ts';

type Check = (patient: Patient) => Finding | Promise<Finding>;

/** The checks, in order of dependency, each with a hint for a part that does not answer. */
const checks: Readonly<Record<string, { readonly check: Check; readonly silent: string }>> = {
  'event store': { check: eventStore, silent: 'Is EVENTSTORE_URL right, and does that server run?' },
  Postgres: { check: postgres, silent: 'Is POSTGRES_URL right, and does that server run?' },
  queue: { check: queue, silent: 'Is QUEUE_URL right, and does that server run?' },
  blobs: {
    check: blobs,
    silent:
      'Is BLOB_URL right, and may its credentials write, read and delete? This command needs them in its environment, too.',
  },
  clock: { check: clock, silent: 'It is compared with the clock of Postgres: see Postgres above.' },
  disk: { check: disk, silent: 'Does DATA_DIR exist?' },
  certificates: {
    check: certificates,
    silent: 'FLEET_TLS must name a directory with ca.crt, tls.crt and tls.key.',
  },
  ports: { check: ports, silent: '`service processes` lists them.' },
  processes: { check: processes, silent: '`service processes` lists them.' },
  projections: {
    check: projections,
    silent: 'They are read from Postgres and compared with the event store: see both above.',
  },
  parked: { check: parked, silent: 'Parked events are read from Postgres: see it above.' },
  'audit heads': { check: heads, silent: 'They are read from Postgres: see it above.' },
  nodes: { check: nodes, silent: 'They are read from Postgres: see it above.' },
  session: { check: session, silent: 'A browser should start within seconds. Read the log of the node.' },
  mail: {
    check: mail,
    silent: 'Are SMTP_URL and its password right, and may this machine reach that server?',
  },
  webhooks: { check: webhooks, silent: 'They are read from Postgres: see it above.' },
};

export type Part = Finding & { readonly part: string };

/** Timeout of one part, in milliseconds. All are checked concurrently. */
const limitMs = 8_000;

/** Checks every part of an installation. Never rejects: an unreachable part is a finding. */
export async function examine(
  config: Config,
  stack: StackState | undefined,
  without: readonly string[] = [],
): Promise<readonly Part[]> {
  const patient = openPatient(config, stack);
  try {
    return await Promise.all(
      Object.entries(checks)
        .filter(([part]) => !without.includes(part))
        .map(async ([part, { check, silent }]) => ({
          part,
          ...(await findingOf(() => check(patient), silent)),
        })),
    );
  } finally {
    await patient.lifetime.close();
  }
}

async function findingOf(check: () => Finding | Promise<Finding>, silent: string): Promise<Finding> {
  try {
    return await within(
      limitMs,
      (async () => check())(),
      () => new Error(`It did not answer within ${limitMs / 1000} s.`),
    );
  } catch (error) {
    return ill(reasonOf(error), silent);
  }
}

/** The first reason of an aggregate, such as a failure on several addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return messageOf(error);
}
