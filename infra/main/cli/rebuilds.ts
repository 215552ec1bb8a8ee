import type { OperatorReadModels, Rebuilt } from '../../../contracts/operator.ts';
import { refuse } from '../../../contracts/problems.ts';
import { projectionStatus, rebuildProjection, unappliedSince } from '../../../projections/index.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/error-message.ts';
import type { Operator } from './operator.ts';

/** Rebuilds of read models started by this process. */
export function createRebuilds() {
  const running = new Set<string>();
  const ended = new Map<string, Rebuilt>();
  const run = async ({ store, pool }: Operator, name: string): Promise<void> => {
    const end = (how: { matches: boolean; rows: number } | { error: string }) =>
      ended.set(name, { at: clock.now().toISOString(), ...how });
    try {
      const { matches, rebuilt } = await rebuildProjection(name, { store, pool });
      end({ matches, rows: rebuilt.rows });
    } catch (error) {
      end({ error: messageOf(error) });
    } finally {
      running.delete(name);
    }
  };
  return {
    /** Resolves once it has started; `status` shows its progress. Refuses a second one of the same table. */
    begin: (operator: Operator, name: string): Promise<{ readonly projection: string }> => {
      if (running.has(name)) throw refuse('conflict', `${name} is already being rebuilt.`);
      running.add(name);
      ended.delete(name);
      void run(operator, name);
      return Promise.resolve({ projection: name });
    },
    /** The status of every read model. */
    status: async (operator: Operator): Promise<OperatorReadModels> => {
      const [models, since] = await Promise.all([projectionStatus(operator), unappliedSince(operator)]);
      return {
        lag_seconds: since === undefined ? 0 : Math.max(0, (clock.now().getTime() - since.getTime()) / 1_000),
        read_models: models.map(
          ({ projection, rows, parked, version, wanted_version, behind, building }) => ({
            ...{ projection, rows, parked, version, wanted_version, behind },
            building: building ?? (running.has(projection) ? { fraction: 0 } : null),
            rebuilt: ended.get(projection) ?? null,
          }),
        ),
      };
    },
  };
}
