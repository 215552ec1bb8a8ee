import type { Logger } from 'pino';
import { accountEvents, type AccountEvent } from '../../contracts/events/account.ts';
import { accountSlotsEvents } from '../../contracts/events/account-slots.ts';
import { apiKeyEvents, type ApiKeyEvent } from '../../contracts/events/api-key.ts';
import { sessionEvents } from '../../contracts/events/session.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { slotTimers } from '../../domain/account-slots/index.ts';
import {
  reactToSession,
  sessionTimers,
  type SessionReaction,
  type Timer,
} from '../../domain/session/index.ts';
import type { WakeUps } from '../../infra/queue/types.ts';
import type { CommandContext } from '../context.ts';
import type { SessionCommands } from '../sessions/index.ts';
import { processManager, type ProcessManager } from './process-manager.ts';

type EventData<Event extends { type: string; data: unknown }, Type extends Event['type']> = Extract<
  Event,
  { type: Type }
>['data'];
type Rotation = EventData<ApiKeyEvent, 'ApiKeyRotated'>;

export interface ManagerPorts {
  readonly sessions: SessionCommands;
  readonly isSuspended: (accountId: AccountId) => Promise<boolean>;
  /** Finishes a rotation that a crash cut short. */
  readonly ensureSuccessor: (rotation: Rotation, context: CommandContext) => Promise<unknown>;
  readonly wakeUps: Pick<WakeUps, 'schedule'>;
  readonly logger: Logger;
}

/** Everything the service does about its own events. */
export const processManagers = (ports: ManagerPorts): readonly ProcessManager[] => [
  processManager({
    name: 'session-ends',
    category: sessionEvents,
    react: reactToSession,
    perform: (reaction: SessionReaction, context) => performSessionReaction(ports, reaction, context),
  }),
  processManager({
    name: 'suspensions',
    category: accountEvents,
    react: (event: AccountEvent) => (event.type === 'AccountSuspended' ? [event.data.accountId] : []),
    perform: (accountId, context) =>
      endIfSuspended(ports, accountId, (sessions) => sessions.endForSuspension(accountId, context)),
  }),
  processManager({
    name: 'key-rotations',
    category: apiKeyEvents,
    react: (event: ApiKeyEvent) => (event.type === 'ApiKeyRotated' ? [event.data] : []),
    perform: (rotation, context) => ports.ensureSuccessor(rotation, context),
  }),
  processManager({
    name: 'session-timers',
    category: sessionEvents,
    react: sessionTimers,
    perform: (timer) => wakeUpAt(ports, timer),
  }),
  processManager({
    name: 'slot-timers',
    category: accountSlotsEvents,
    react: slotTimers,
    perform: (timer) => wakeUpAt(ports, timer),
  }),
];

function performSessionReaction(
  ports: ManagerPorts,
  reaction: SessionReaction,
  context: CommandContext,
): Promise<void> {
  switch (reaction.type) {
    case 'CleanUpSession':
      return ports.sessions.cleanUp(reaction.sessionId, context);
    case 'EndIfSuspended':
      return endIfSuspended(ports, reaction.accountId, (sessions) =>
        sessions.endSuspended(reaction.sessionId, context),
      );
  }
}

/** Asks the account's stream as it is now: a suspension that was taken back meanwhile ends nothing. */
async function endIfSuspended(
  { sessions, isSuspended }: ManagerPorts,
  accountId: AccountId,
  end: (sessions: SessionCommands) => Promise<void>,
): Promise<void> {
  if (await isSuspended(accountId)) await end(sessions);
}

/** Not waited for: the sweep does what a queue that is down does not, and reactions must not slow down with it. */
function wakeUpAt({ wakeUps, logger }: ManagerPorts, { id, dueAt }: Timer): Promise<void> {
  wakeUps.schedule(id, new Date(dueAt)).catch((error: unknown) => {
    logger.warn({ err: error, timer: id }, 'A wake-up was not scheduled and is left to the sweep.');
  });
  return Promise.resolve();
}
