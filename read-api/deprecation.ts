import { deprecations, type Deprecation } from '../contracts/deprecations.ts';
import { presentUses } from '../contracts/resources/deprecation.ts';
import { deprecatedUses } from '../projections/read-models/deprecated-use.ts';
import type { Read } from './engine/reading.ts';
import { stateReader } from './engine/states.ts';

/** What an account still calls of what will go away. */
export const deprecationReads = (read: Read, registry: readonly Deprecation[] = deprecations) => ({
  'account.deprecations': stateReader(read)(deprecatedUses, (uses) => ({
    data: presentUses(registry, uses),
  })),
});
