import { setTimeout as delay } from 'node:timers/promises';
import { systemPause } from '../../infra/clock.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import { mailOfWakeUp, sendMail, type SendPorts } from '../mail/index.ts';
import { Lanes } from './lanes.ts';
import { sweepLostNodes } from './lost-nodes.ts';
import { NodeWatch } from './node-watch.ts';
import { retryParked, type ReactionPorts } from './reactions.ts';
import { dueTimersIn, runningSessionsIn } from './read-rows.ts';
import type { ProcessesOptions } from './settings.ts';
import { parkingIn } from './tables.ts';
import { term, type Sweep } from './term.ts';
import { onTimer, sweepTimers, type TimerPorts } from './timers.ts';

export { defaultProcessSettings, type ProcessesOptions, type ProcessSettings } from './settings.ts';
export { processManagers, type ManagerPorts } from './managers.ts';
export { processManager, type ProcessDefinition, type ProcessManager } from './process-manager.ts';
export { dueMailsIn, dueTimersIn, type DueMails } from './read-rows.ts';
export { mailWakeUpsManager, webhookNoticesManager } from './mail/managers.ts';
export { mailSweep, type MailSweepPorts } from './mail/sweep.ts';
export type { Sweep } from './term.ts';
export { processMigrations, parkedReactions, type ParkedReaction } from './tables.ts';

export interface Processes {
  /** Whether this host holds the lock; one that does not stands by. */
  working(): boolean;
  /** Lets the reactions under way end or, when they wait for a retry, be taken up by the next term. */
  close(): Promise<void>;
}

/**
 * Hosts the process managers and the sweeps for as long as it lives. Of several hosts on one database one works; when it
 * goes, another takes over at the checkpoint.
 */
export function startProcesses(options: ProcessesOptions): Processes {
  const { logger, maxBackoffMs } = options;
  const stop = new AbortController();
  const reactions: ReactionPorts = {
    ...options,
    parking: parkingIn(options.pool),
    pause: systemPause,
    lanes: new Lanes(),
  };
  const sweeps = sweepsOf(options, reactions);
  let isWorking = false;

  const run = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted; failures += 1) {
      try {
        await term(options, reactions, sweeps, stop.signal, () => {
          isWorking = true;
          failures = 0;
        });
      } catch (error) {
        logger.warn({ err: error }, 'The process host lost its term.');
      }
      isWorking = false;
      const retryMs = Math.min(maxBackoffMs, 50 * 2 ** failures);
      await delay(retryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    working: () => isWorking,
    close: () => {
      stop.abort();
      return running;
    },
  };
}

function sweepsOf(options: ProcessesOptions, reactions: ReactionPorts): readonly Sweep[] {
  const { pool, timerSweepMs, nodeSweepMs, nodeLeaseMs, parkedRetryMs, sweeps = [] } = options;
  const timers = { ...options, timers: dueTimersIn(pool) };
  const nodes = { ...options, runningSessions: runningSessionsIn(pool) };
  const watch = new NodeWatch(nodeLeaseMs, nodeSweepMs * 3);
  return [
    { name: 'timers', everyMs: timerSweepMs, run: () => sweepTimers(timers) },
    { name: 'lost nodes', everyMs: nodeSweepMs, run: () => sweepLostNodes(nodes, watch) },
    { name: 'parked reactions', everyMs: parkedRetryMs, run: () => retryParked(reactions) },
    ...sweeps,
  ];
}

/** Handles wake-ups in this process; any number of processes may, since each timer is decided on its stream. */
export const handleWakeUps = (wakeUps: WakeUps, ports: TimerPorts): void =>
  wakeUps.onWakeUp((id) => onTimer(ports, id));

/** Sends the mails that wake-ups name, in this process; any number of processes may. */
export const handleMailWakeUps = (wakeUps: WakeUps, ports: SendPorts): void =>
  wakeUps.onWakeUp(async (id) => {
    const mailId = mailOfWakeUp(id);
    if (mailId !== undefined) await sendMail(ports, mailId);
  });
