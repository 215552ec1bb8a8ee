import { seconds } from './seconds.ts';

interface Kind {
  /**
   * Paths, or prefixes of paths, in the order in which they run: files that share a stack are consecutive, so that its processes do
   * not run beside other stacks. A file belongs to the first kind that matches it.
   */
  readonly paths: readonly string[];
  readonly processes: number;
}

/**
 * Kinds of tests. Two tests of the same process never run at once, because each of them fills the machine, or measures
 * time.
 */
export const kinds = {
  browsers: {
    processes: 1,
    paths: [
      'commands/webhook-delivery/',
      'write-api/session/session-racers.test.ts',
      'write-api/session/session-timeouts.test.ts',
      'infra/event-store/client/appending.test.ts',
      'infra/mail/smtp.test.ts',
      'infra/ephemeral/',
      'infra/passwords/',
      'infra/postgres/',
      'infra/queue/',
      'infra/webhooks/sender.test.ts',
      'infra/verification/testbed/',
      'infra/verification/bench/',
      'infra/fleet/webkit/',
      'infra/verification/security/authentication.test.ts',
      'infra/verification/security/browser-',
      'infra/verification/security/odd-pages',
      'infra/verification/eval/',
    ],
  },
  stacks: {
    processes: 1,
    paths: [
      'infra/verification/stack/walkthroughs',
      'infra/verification/client/walks.test.ts',
      'infra/verification/client/packed',
      'infra/verification/client/platforms',
      'infra/verification/stack/',
      'infra/deploy/systemd/',
      'infra/deploy/tls/',
      'infra/verification/security/canaries.test.ts',
      'infra/verification/security/erasure-canaries.test.ts',
      'infra/verification/security/hostile-pages.test.ts',
      'infra/verification/chaos/',
    ],
  },
  console: {
    processes: 1,
    paths: [
      'infra/verification/console/phone',
      'infra/verification/console/account.test.ts',
      'infra/verification/console/operator',
      'infra/verification/console/',
    ],
  },
  faults: {
    processes: 1,
    paths: [
      'infra/verification/faults/restarts',
      'infra/verification/faults/sign-in',
      'infra/verification/faults/surroundings',
      'infra/verification/faults/',
    ],
  },
  // More parts than processes, so that they even out.
  rest: { processes: 5, paths: [''] },
} as const satisfies Record<string, Kind>;

/** Test files that run in one process, one after the other. */
export interface Shard {
  /** Name of its kind. */
  readonly name: string;
  readonly files: readonly string[];
}

/** Estimate for a file that is not in the table. */
const USUAL_SECONDS = 3;
const secondsOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + (seconds[file] ?? USUAL_SECONDS), 0);

/** The shards of each kind, the longest first, so that none of them runs alone at the end. */
export function shardsOf(files: readonly string[]): readonly Shard[] {
  let left = files;
  return Object.entries<Kind>(kinds)
    .flatMap(([name, { paths, processes }]) => {
      const own = [...new Set(paths.flatMap((path) => left.filter((file) => file.startsWith(path))))];
      left = left.filter((file) => !own.includes(file));
      return evenParts(own, processes).map((part) => ({ name, files: part }));
    })
    .filter((shard) => shard.files.length > 0)
    .sort((one, other) => secondsOf(other.files) - secondsOf(one.files));
}

/** Parts of about equal duration: the longest file first, each to the shortest part. The order of the files is kept within a part. */
function evenParts(files: readonly string[], count: number): readonly (readonly string[])[] {
  const parts = Array.from({ length: count }, (): string[] => []);
  for (const file of files.toSorted((one, other) => secondsOf([other]) - secondsOf([one])))
    parts.toSorted((one, other) => secondsOf(one) - secondsOf(other))[0]?.push(file);
  return parts.map((part) => files.filter((file) => part.includes(file)));
}
