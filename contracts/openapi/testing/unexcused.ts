import type { Deprecation } from '../../deprecations.ts';
import type { Difference } from './compare-schemas.ts';
import { isBreaking } from './compare.ts';

/** Breaking differences, except for announced removals whose date has passed on this day (`YYYY-MM-DD`). */
export const unexcused = (
  differences: readonly Difference[],
  registry: readonly Deprecation[],
  day: string,
): readonly Difference[] =>
  differences.filter(
    (each) => isBreaking(each) && !registry.some((entry) => entry.sunset <= day && excuses(entry, each)),
  );

const excuses = ({ route, field }: Deprecation, { kind, where }: Difference): boolean => {
  if (kind !== 'removed') return false;
  if (field === undefined) return where === route;
  const part = field.in === 'request' ? ' · body' : ' · 2';
  return where.startsWith(`${route}${part}`) && where.endsWith(` · ${field.name}`);
};
