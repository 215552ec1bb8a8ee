import { announcedTypes, categories, timerTypes } from '../../../../contracts/events/index.ts';
import { recordContracts } from '../../../../contracts/records.ts';
import type { Evidence, LogEvent } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Rows that a sample counts, by the event that adds one. */
const counted = {
  sessions: 'SessionRequested',
  accounts: 'AccountCreated',
  apiKeys: 'ApiKeyCreated',
} as const;

const checkpoints = ['readModels', 'processes', 'deliveries'] as const;
type Checkpoint = (typeof checkpoints)[number];

export const checkpointsFollow: Invariant = {
  id: 'N4',
  holds:
    'A checkpoint never exceeds the last applied event, never moves back, and reaches the end of the log.',
  judged:
    'samples of the raw tables, each one statement: the rows there were at that checkpoint against the events up to it',
  violations: (evidence) => [
    ...checkpoints.flatMap((name) => monotone(evidence, name)),
    ...applied(evidence),
  ],
};

function monotone({ samples, log }: Evidence, name: Checkpoint): Violation[] {
  const back = samples.filter((sample, index) => sample[name] < (samples[index - 1]?.[name] ?? -1n));
  const [end, reached] = [lastFor(log, name), samples.at(-1)?.[name] ?? -1n];
  return [
    ...back.map((sample) => ({ what: `the checkpoint of ${name} moved back to ${sample[name]}` })),
    // The checkpoint also passes events of other types.
    ...(reached >= end
      ? []
      : [{ what: `the checkpoint of ${name} is at ${reached}, the log ends at ${end}` }]),
  ];
}

const typesIn = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => Object.keys(categories[name]?.types ?? {}));

/** Types of events that lead to reactions, by their host. The read models follow every category of the contract. */
export const followed: Readonly<Record<Exclude<Checkpoint, 'readModels'>, ReadonlySet<string>>> = {
  processes: new Set([
    ...Object.keys(timerTypes),
    ...typesIn('account_invitations', 'account_profiles', 'account_webhooks', 'incident', 'login', 'mail'),
    ...typesIn('own_llm_key', 'status_subscriber', 'subscription', 'webhook_endpoint', 'webhook_replay'),
    ...recordContracts.flatMap(({ quota }) => Object.keys(quota.types)),
    ...['AccountCreated', 'AccountSuspended', 'AccountErased', 'TierChanged', 'ApiKeyRotated'],
    ...['SessionRequested', 'SessionErrored', 'SessionDestroyed', 'ChallengeDetected'],
    ...[
      'AgentSessionCreated',
      'AgentSessionClosed',
      'DriverSessionLost',
      'HandbackRequested',
      'HandbackPromoted',
    ],
    ...['ProfilePurged', 'ProfileTransferred', 'ProfileTrimmed', 'StateSaved', 'StateSaveFailed'],
    ...['SnapshotCaptured', 'TeamMemberInvited', 'TeamMemberJoined', 'TeamMemberRemoved'],
    ...['SecondFactorCodeRefused', 'SecondFactorDisabled'],
    ...['CryptoEventReceived', 'OrderPaid', 'DeprecationUsed', 'NodeRevoked'],
    ...['DeliveryScheduled', 'DeliveryRequeued', 'DeliverySucceeded', 'DeliveryAttemptFailed'],
  ]),
  deliveries: new Set([...Object.keys(announcedTypes), ...typesIn('webhook_endpoint', 'account_webhooks')]),
};
const lastFor = (log: readonly LogEvent[], name: Checkpoint): bigint =>
  log.findLast(({ category, type }) =>
    name === 'readModels' ? Object.hasOwn(categories, category) : followed[name].has(type),
  )?.position ?? -1n;

function applied({ log, samples }: Evidence): Violation[] {
  const positions = Object.entries(counted).map(
    ([table, type]) =>
      [
        table as keyof typeof counted,
        log.filter((event) => event.type === type).map(({ position }) => position),
      ] as const,
  );
  return samples
    .filter(({ parked }) => parked === 0)
    .flatMap((sample) =>
      positions.flatMap(([table, at]) => {
        const expected = countUpTo(at, sample.readModels);
        if (sample[table] === expected) return [];
        const what = `at checkpoint ${sample.readModels} there were ${sample[table]} rows of ${table}, not ${expected}`;
        return [{ what }];
      }),
    );
}

/** How many of the rising positions are not after `last`: a long run has thousands of samples, and of events. */
function countUpTo(positions: readonly bigint[], last: bigint): number {
  let [from, to] = [0, positions.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((positions[middle] ?? last) <= last) from = middle + 1;
    else to = middle;
  }
  return from;
}
