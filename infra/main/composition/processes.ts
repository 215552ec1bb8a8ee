import type pg from 'pg';
import {
  blobSweep,
  type defaultProcessSettings,
  drainingNodesSweep,
  type Host,
  profilePurgesManager,
  sessionAndAccountManagers,
  profileStatesManager,
  revokedNodesManager,
  startProcesses,
  type Sweep,
  type Processes,
} from '../../../commands/process-managers/index.ts';
import { deliveriesSweep } from '../../../commands/process-managers/webhook-delivery/sweep.ts';
import {
  type ReplayReads,
  replaySource,
  webhookProcesses,
} from '../../../commands/process-managers/webhook-delivery/index.ts';
import { createCancelling } from '../../../commands/webhook-delivery/index.ts';
import { accountEventsBetween, hasAccountEventsUpTo } from '../../../projections/queries/account-event.ts';
import { agentSessionsOn } from '../../../projections/queries/agent-session.ts';
import { runningSessions } from '../../../projections/queries/session.ts';
import { dueTimersIn } from '../../../projections/queries/timer.ts';
import { countOpenDeliveriesOf, openDeliveriesIn } from '../../../projections/queries/webhook-delivery.ts';
import { endpointsBeingReplayed } from '../../../projections/queries/webhook-replay.ts';
import { systemPause } from '../../platform/clock.ts';
import { anchoringProcesses } from './anchoring.ts';
import { auditHeadProcesses } from './audit-heads.ts';
import { cardProcesses } from './cards.ts';
import { composeCommands, type Commands } from './commands.ts';
import { deprecationProcesses } from './deprecations.ts';
import { mailProcesses } from './mail.ts';
import { orderProcesses } from './orders.ts';
import type { ProcessPorts, Waking } from './process-ports.ts';
import { statusProcesses } from './status.ts';
import { teamProcesses } from './teams.ts';

/** Follows the log and sweeps, while it leads. */
export function hostProcesses(
  ports: ProcessPorts,
  settings: typeof defaultProcessSettings,
  more: readonly Sweep[] = [],
): Host {
  const { config, pool } = ports;
  const commands = composeCommands(ports);
  const { managers, sweeps } = composeProcesses(ports, commands);
  return startProcesses({
    ...{ ...ports, ...settings, ...commands, managers, sweeps: [...sweeps, ...more] },
    concurrency: config.REACTIONS_AT_ONCE,
    runningSessions: () => runningSessions(pool),
    timers: dueTimersIn(pool),
  });
}

/** All reactions and sweeps of the service. */
export function composeProcesses(ports: ProcessPorts, commands: Commands): Processes {
  const parts = [
    sessionProcesses(ports, commands),
    mailProcesses(ports),
    cardProcesses(ports),
    deliveryProcesses(ports),
    teamProcesses(ports, commands),
    statusProcesses(ports),
    deprecationProcesses(ports),
    profileProcesses(ports, commands),
    nodeProcesses(ports, commands),
    orderProcesses(ports, commands),
    anchoringProcesses(ports),
    auditHeadProcesses(ports),
  ];
  return {
    managers: parts.flatMap(({ managers }) => managers),
    sweeps: parts.flatMap(({ sweeps }) => sweeps),
  };
}

type SessionProcessPorts = Pick<ProcessPorts, 'store' | 'runner' | 'clock' | 'logger'> & {
  readonly queues: { readonly timers: Pick<Waking, 'schedule'> };
};

/** Reactions to ends of sessions and accounts, to rotations, and to due times. */
export const sessionProcesses = (
  { queues, ...ports }: SessionProcessPorts,
  { sessions, agentSessions, accounts, erasure, apiKeys }: Commands,
): Processes => ({
  managers: sessionAndAccountManagers({
    ...{ ...ports, sessions, agentSessions, wakeUps: queues.timers },
    isStopped: accounts.isStopped,
    carryOutErasure: erasure.carryOut,
    ensureSuccessor: apiKeys.ensureSuccessor,
  }),
  sweeps: [],
});

function deliveryProcesses(ports: ProcessPorts): Processes {
  const { config, clock, pool, runner } = ports;
  const { deliveries: wakeUps } = ports.queues;
  const now = () => performance.now();
  const { managers, sweeps } = webhookProcesses({
    ...{ ...ports, now, wakeUps },
    pause: systemPause,
    source: replaySource(replayReadsIn(pool)),
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
    sweepMs: config.SWEEP_INTERVAL,
  });
  const cancel = createCancelling({ runner, clock, now });
  const lost = deliveriesSweep(
    { ...ports, open: openDeliveriesIn(pool), wakeUps, cancel },
    config.SWEEP_INTERVAL,
  );
  return { managers, sweeps: [...sweeps, lost] };
}

/** The reaction to the revocation of a node, and what agent sessions are told of draining ones. */
const nodeProcesses = (
  { config, pool, registry, runner, clock, logger }: ProcessPorts,
  { sessions, agentSessions }: Pick<Commands, 'sessions' | 'agentSessions'>,
): Processes => ({
  managers: [revokedNodesManager({ runningSessions: () => runningSessions(pool), sessions })],
  sweeps: [
    drainingNodesSweep({
      ...{ registry, runner, clock, logger, agentSessions },
      holdersOn: (node) => agentSessionsOn(pool, node),
      liveMs: config.NODE_STALE_AFTER,
      everyMs: config.SWEEP_INTERVAL,
    }),
  ],
});

/** Reactions to saves and ends of profiles, and the sweep of the object store. */
const profileProcesses = (ports: ProcessPorts, { sessions }: Pick<Commands, 'sessions'>): Processes => ({
  managers: [profilePurgesManager(ports), profileStatesManager({ ...ports, sessions })],
  sweeps: [blobSweep(ports)],
});

/** Queries of replays on the read models. */
export const replayReadsIn = (pool: Pick<pg.Pool, 'query'>): ReplayReads => ({
  hasReached: (accountId, position) => hasAccountEventsUpTo(pool, accountId, position),
  eventsOf: (accountId, range) => accountEventsBetween(pool, accountId, range),
  openDeliveries: (replayIds, limit) => countOpenDeliveriesOf(pool, replayIds, limit),
  running: () => endpointsBeingReplayed(pool),
});
