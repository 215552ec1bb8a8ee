import type pg from 'pg';
import { loadConfig } from '../../infra/config/index.ts';
import { onlyPepper } from '../../infra/keys/index.ts';
import { composeCommands, type Commands } from '../../infra/main/composition/commands.ts';
import { erasedIn } from '../../infra/main/composition/erased.ts';
import { sessionProcesses } from '../../infra/main/composition/processes.ts';
import { vault as openVault } from '../../infra/verification/simulation/fake-vault.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { memoryHeartbeats, unreachable } from '../agent-session/testing.ts';
import { quiet, type World } from '../session/testing.ts';
import type { ManagerPorts } from './index.ts';

/** The pepper of links and of the uuids of addresses. */
export const pepper = 'a pepper for tests';

export const queueThatIsDown: ManagerPorts['wakeUps'] = {
  schedule: () => Promise.reject(new Error('the queue is down')),
};

type Deciding = Pick<World, 'clock' | 'runner' | 'sessions' | 'fleet'>;

/** The service's commands, on the runner and the sessions of a world. Its agent sessions reach no node. */
export const commandsOn = (
  { clock, runner, sessions, fleet }: Deciding,
  pool: pg.Pool,
  vault: Vault = openVault,
): Commands => ({
  ...composeCommands({
    ...{ config: loadConfig({}), clock, runner, vault, logger: quiet },
    peppers: onlyPepper(pepper),
    fleet: Object.assign(Object.create(fleet) as typeof fleet, unreachable),
    heartbeats: memoryHeartbeats(clock),
    probe: () => Promise.resolve(null),
    payments: undefined,
    erased: erasedIn(pool),
  }),
  sessions,
});

/** Reactions to the ends of sessions and accounts, to rotations and to due times, by those commands. */
export const managersOn = (
  { store, clock, runner }: Pick<World, 'store' | 'clock' | 'runner'>,
  commands: Commands,
  wakeUps = queueThatIsDown,
) =>
  sessionProcesses({ store, clock, runner, logger: quiet, queues: { timers: wakeUps } }, commands).managers;
