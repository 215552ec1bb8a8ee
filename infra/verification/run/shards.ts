/**
 * What is not run beside its like: it starts whole stacks, browsers or loads that fill the machine, or it measures how
 * long something takes. Paths, or beginnings of paths; the longest come last, when the other shards have ended.
 */
export const exclusive = [
  'commands/webhook-delivery/',
  'write-api/session-racers.test.ts',
  'write-api/session-timeouts.test.ts',
  'infra/event-store/client/appending.test.ts',
  'infra/mail/smtp.test.ts',
  'infra/postgres/',
  'infra/queue/',
  'infra/webhooks/sender.test.ts',
  'infra/verification/testbed/',
  'infra/verification/bench/',
  'infra/fleet/webkit/',
  'infra/verification/stack/',
  'infra/verification/security/authentication.test.ts',
  'infra/verification/security/browser-',
  'infra/verification/security/canaries.test.ts',
  'infra/verification/faults/',
  'infra/verification/chaos/',
];

/** Test files that run in one process, one after the other. */
export interface Shard {
  readonly files: readonly string[];
  /** Added to the niceness: the exclusive shard is never kept waiting by the others. */
  readonly niceness: number;
}

const EXCLUSIVE = 0;
const SHARED = 5;

/** One shard of what is exclusive, and the rest over as many as there are cores left. */
export function shardsOf(files: readonly string[], cores: number): readonly Shard[] {
  const alone = exclusive.flatMap((entry) => files.filter((file) => file.startsWith(entry)));
  const rest = files.filter((file) => !alone.includes(file));
  const count = Math.max(1, cores - 1);
  const shared = Array.from({ length: count }, (_each, shard) =>
    rest.filter((_file, index) => index % count === shard),
  );
  return [
    { files: alone, niceness: EXCLUSIVE },
    ...shared.map((part) => ({ files: part, niceness: SHARED })),
  ].filter((shard) => shard.files.length > 0);
}
