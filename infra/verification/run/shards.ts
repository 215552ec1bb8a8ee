/** Test files that run in one process, one after the other. Paths, or beginnings of paths; a file is of the first that names it. */
interface Kind {
  readonly paths: readonly string[];
  /** Added to the niceness of its process and of all that it starts. */
  readonly niceness: number;
}

/**
 * Kinds of tests of which no two run at once, because each of them fills the machine, or measures how long something
 * takes. Those that measure are kept waiting by no other kind.
 */
export const kinds = {
  browsers: {
    niceness: 0,
    paths: [
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
      'infra/verification/security/authentication.test.ts',
      'infra/verification/security/browser-',
      'infra/verification/eval/',
    ],
  },
  stacks: {
    niceness: 1,
    paths: [
      'infra/verification/stack/',
      'infra/verification/security/canaries.test.ts',
      'infra/verification/faults/',
      'infra/verification/chaos/',
    ],
  },
  rest: { niceness: 5, paths: [''] },
} as const satisfies Record<string, Kind>;

export interface Shard {
  readonly files: readonly string[];
  readonly niceness: number;
}

/** A shard for each kind, with its files in the order of its paths. */
export function shardsOf(files: readonly string[]): readonly Shard[] {
  let left = files;
  return Object.values<Kind>(kinds)
    .map(({ paths, niceness }) => {
      const own = paths.flatMap((path) => left.filter((file) => file.startsWith(path)));
      left = left.filter((file) => !own.includes(file));
      return { files: own, niceness };
    })
    .filter((shard) => shard.files.length > 0);
}
