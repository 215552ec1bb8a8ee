import type { Deprecation } from '../deprecations.ts';
import { Type, closed, nullable, type Static } from '../schema.ts';

const Day = Type.String({ format: 'date' });

/** A deprecated entry that the account still uses. Days are in UTC. */
export const UsedDeprecation = closed({
  id: Type.String(),
  /** `GET /v1/account/usage`. */
  route: Type.String(),
  /** Null: the route itself. */
  field: nullable(Type.String()),
  announced: Day,
  sunset: Day,
  replacement: Type.String(),
  first_used: Day,
  last_used: Day,
  days_used: Type.Integer({ minimum: 1 }),
});
export type UsedDeprecation = Static<typeof UsedDeprecation>;
export const UsedDeprecations = closed({ data: Type.Array(UsedDeprecation) });

/** An account's uses of an entry of the registry; days in UTC. */
export interface DeprecatedUse {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly days: number;
}

/** Used entries of the registry, ordered by sunset. */
export const presentUses = (
  registry: readonly Deprecation[],
  uses: Readonly<Record<string, DeprecatedUse>>,
): readonly UsedDeprecation[] =>
  registry
    .flatMap(({ id, route, field, announced, sunset, replacement }) => {
      const use = uses[id];
      if (use === undefined) return [];
      return {
        ...{ id, route, field: field?.name ?? null, announced, sunset, replacement },
        ...{ first_used: use.firstDay, last_used: use.lastDay, days_used: use.days },
      };
    })
    .sort((one, other) => one.sunset.localeCompare(other.sunset));
