import type { LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { SignsOfLife } from '../../infra/postgres/index.ts';
import type { Runner } from '../engine/runner.ts';
import type { SessionCommands } from '../session/index.ts';
import { createAgentSessionUpkeep, defaultAgentSettings, type UpkeepPorts } from './index.ts';

/** Signs of life that this process keeps to itself. */
export function memorySigns(clock: Clock): SignsOfLife {
  const signs = new Map<string, string>();
  return {
    note: (key) => void signs.set(key, clock.now().toISOString()),
    last: (key) => Promise.resolve(signs.get(key) ?? null),
  };
}

/** Nodes that cannot be asked. */
const unreachable: Pick<LiveFleet, 'live'> = {
  live: () => Promise.resolve({ status: 'unavailable', reason: 'There is no node.' }),
};

interface Deciding {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly sessions: SessionCommands;
}

/** The upkeep of agent sessions beside other parts under test. */
export const upkeepOn = ({ runner, clock, sessions }: Deciding, ports: Partial<UpkeepPorts> = {}) =>
  createAgentSessionUpkeep({
    ...{ runner, clock, sessions },
    fleet: unreachable,
    signsOfLife: memorySigns(clock),
    settings: defaultAgentSettings,
    ...ports,
  });
