import { withoutCause } from '../../causes.ts';
import type { Invariant } from './invariant.ts';

export const causesAreInTheLog: Invariant = {
  id: 'N22',
  holds: 'Every event but a root has its cause in the log before it, with the same root.',
  judged: 'the metadata of all events in the order of the log',
  violations: ({ log }) => withoutCause(log).map((what) => ({ what })),
};
