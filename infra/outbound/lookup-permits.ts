import { FairTurns } from '../platform/fair-turns.ts';

/**
 * Maximum concurrent look-ups of all browsers of a node. Each occupies a thread until its name server answers; with `UV_THREADPOOL_SIZE` 64,
 * Node uses 32 threads for look-ups, and the node's own need some.
 */
const total = 24;
/** Of these, for one account: names whose servers hang must not hold up the others. */
const perKey = 8;

/** Permits of look-ups, shared by the browsers of a node, by account. Accounts that wait get them in turn. */
export class LookupPermits extends FairTurns {
  constructor() {
    super({ total, perKey });
  }
}
