import type pg from 'pg';
import {
  blobSweep,
  profileErasuresManager,
  profilePurgesManager,
  processManagers,
  profileStatesManager,
  type Processes,
} from '../../../commands/process-managers/index.ts';
import { deliveriesSweep } from '../../../commands/process-managers/webhook-delivery/sweep.ts';
import {
  type ReplayReads,
  replaySource,
  webhookProcesses,
} from '../../../commands/process-managers/webhook-delivery/index.ts';
import type { SessionCommands } from '../../../commands/session/index.ts';
import { createCancelling } from '../../../commands/webhook-delivery/index.ts';
import { accountEventsBetween, hasAccountEventsUpTo } from '../../../projections/queries/account-event.ts';
import { countOpenDeliveriesOf, openDeliveriesIn } from '../../../projections/queries/webhook-delivery.ts';
import { endpointsBeingReplayed } from '../../../projections/queries/webhook-replay.ts';
import { systemPause } from '../../platform/clock.ts';
import { cardProcesses } from './cards.ts';
import type { Commands } from './commands.ts';
import { deprecationProcesses } from './deprecations.ts';
import { mailProcesses } from './mail.ts';
import { orderProcesses } from './orders.ts';
import type { Ports } from './ports.ts';
import { openProfileStates } from './profiles.ts';
import { statusManagers, statusSweeps } from './status.ts';
import { teamManagers } from './teams.ts';
import { openWakeUps } from './wake-ups.ts';

/** Everything that the service does about its own events, and at intervals. */
export async function composeProcesses(ports: Ports, commands: Commands): Promise<Processes> {
  const parts = [
    {
      managers: processManagers({ ...commands, wakeUps: openWakeUps(ports), logger: ports.logger }),
      sweeps: [],
    },
    mailProcesses(ports),
    cardProcesses(ports),
    deliveryProcesses(ports),
    { managers: teamManagers(ports), sweeps: [] },
    { managers: statusManagers(ports), sweeps: statusSweeps(ports) },
    deprecationProcesses(ports),
    await profileProcesses(ports, commands.sessions),
    orderProcesses(ports, commands.orders),
  ];
  return {
    managers: parts.flatMap(({ managers }) => managers),
    sweeps: parts.flatMap(({ sweeps }) => sweeps),
  };
}

function deliveryProcesses(ports: Ports): Processes {
  const { config, clock, logger, pool, store, runner } = ports;
  const wakeUps = openWakeUps(ports, 'deliveries');
  const now = () => performance.now();
  const { managers, sweeps } = webhookProcesses({
    ...{ store, runner, clock, now, logger, wakeUps },
    pause: systemPause,
    source: replaySource(replayReadsIn(pool)),
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
    sweepMs: config.SWEEP_INTERVAL,
  });
  const cancel = createCancelling({ runner, clock, now });
  const lost = deliveriesSweep(
    { open: openDeliveriesIn(pool), clock, wakeUps, cancel, logger },
    config.SWEEP_INTERVAL,
  );
  return { managers, sweeps: [...sweeps, lost] };
}

/** What follows from the saves and the ends of profiles, and the sweep of the object store. */
async function profileProcesses(ports: Ports, sessions: SessionCommands): Promise<Processes> {
  const { blobs, states } = await openProfileStates(ports);
  return {
    managers: [
      profilePurgesManager(ports),
      profileErasuresManager(ports),
      profileStatesManager({ runner: ports.runner, states, sessions }),
    ],
    sweeps: [blobSweep({ ...ports, blobs })],
  };
}

/** What replays ask of the read models. */
export const replayReadsIn = (pool: Pick<pg.Pool, 'query'>): ReplayReads => ({
  hasReached: (accountId, position) => hasAccountEventsUpTo(pool, accountId, position),
  eventsOf: (accountId, range) => accountEventsBetween(pool, accountId, range),
  openDeliveries: (replayId, limit) => countOpenDeliveriesOf(pool, replayId, limit),
  running: () => endpointsBeingReplayed(pool),
});
