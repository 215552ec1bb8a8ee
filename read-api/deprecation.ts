import { deprecations, type Deprecation } from '../contracts/deprecations.ts';
import { presentUses } from '../contracts/resources/deprecation.ts';
import { deprecatedUses } from '../projections/read-models/deprecated-use.ts';
import type { Read } from './engine/reading.ts';
import { stateReader } from './engine/states.ts';

/** An account's uses of deprecated routes and fields. */
export const deprecationReads = (read: Read, registry: readonly Deprecation[] = deprecations) => ({
  'account.deprecations': stateReader(read)(deprecatedUses, (uses) => ({
    data: presentUses(registry, uses),
  })),
});
