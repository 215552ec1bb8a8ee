import type { Logger } from 'pino';
import type { Clock } from '../../infra/clock.ts';
import { systemCause } from '../causes.ts';
import type { CommandContext } from '../context.ts';
import type { SessionCommands } from '../sessions/index.ts';
import type { DueTimers, TimerKind, TimerRow } from './read-rows.ts';

export interface TimerPorts {
  readonly timers: DueTimers;
  readonly clock: Clock;
  readonly sessions: SessionCommands;
  readonly logger: Logger;
}

/** How many timers one sweep takes at most; the next one takes more. */
const sweepLimit = 200;

/** What a due timer runs. Each is decided on the stream: it does nothing when nothing is due there (any more, or yet). */
const effects: Record<
  TimerKind,
  (sessions: SessionCommands, timer: TimerRow, context: CommandContext) => Promise<void>
> = {
  slot_lease: (sessions, { account_id, subject_id }, context) =>
    sessions.releaseOrphanedSlot(account_id, subject_id, context),
  creation_lease: (sessions, { subject_id }, context) => sessions.expireCreationLease(subject_id, context),
  duration_cap: (sessions, { subject_id }, context) => sessions.enforceDurationCap(subject_id, context),
};

const fire = ({ sessions }: TimerPorts, timer: TimerRow): Promise<void> =>
  effects[timer.kind](sessions, timer, systemCause(timer.id));

/** A wake-up for one timer. A row that is gone took effect; one that is not there yet is the sweep's. */
export async function onTimer(ports: TimerPorts, id: string): Promise<void> {
  const timer = await ports.timers.byId(id);
  if (timer !== undefined) await fire(ports, timer);
}

/** Runs what is due and was not woken up for, because its wake-up was lost or failed. */
export async function sweepTimers(ports: TimerPorts): Promise<void> {
  const due = await ports.timers.due(ports.clock.now(), sweepLimit);
  await Promise.all(
    due.map((timer) =>
      fire(ports, timer).catch((error: unknown) => {
        ports.logger.warn(
          { err: error, timer: timer.id },
          'A timer failed and is tried again at the next sweep.',
        );
      }),
    ),
  );
}
