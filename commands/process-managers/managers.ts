import { accountEvents } from '../../contracts/events/account.ts';
import { categoriesWith } from '../../contracts/events/index.ts';
import { apiKeyEvents, type ApiKeyEvent } from '../../contracts/events/api-key.ts';
import { sessionEvents } from '../../contracts/events/session.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { timersOf } from '../../domain/kit/timer.ts';
import { reactToSession, type SessionReaction } from '../../domain/session/reactions.ts';
import { reactionContext, type CommandContext } from '../engine/context.ts';
import { hasKnownType } from '../engine/recording.ts';
import type { RefundPorts, AgentSessionUpkeep } from '../agent-session/index.ts';
import type { SessionCommands } from '../session/index.ts';
import { agentSessionManagers } from './agent-session.ts';
import { lateErasureManagers } from './late-erasures.ts';
import {
  processManager,
  reactingTo,
  wakeUpAt,
  type ProcessManager,
  type WakingPorts,
} from './engine/process-manager.ts';

export interface ManagerPorts extends WakingPorts, RefundPorts {
  readonly sessions: SessionCommands;
  readonly agentSessions: AgentSessionUpkeep;
  /** True for a suspended or erased account. */
  readonly isStopped: (accountId: AccountId) => Promise<boolean>;
  readonly carryOutErasure: (accountId: AccountId, context: CommandContext) => Promise<void>;
  /** Completes a rotation after a crash. */
  readonly ensureSuccessor: (
    rotation: DataOf<ApiKeyEvent, 'ApiKeyRotated'>,
    context: CommandContext,
  ) => Promise<unknown>;
}

/** Reactions to ends of sessions and accounts, to rotations of keys, and to agent sessions; and the timers of all categories. */
export const sessionAndAccountManagers = (ports: ManagerPorts): readonly ProcessManager[] => [
  processManager({
    name: 'session-ends',
    category: sessionEvents,
    types: ['SessionRequested', 'SessionErrored', 'SessionDestroyed'],
    react: reactToSession,
    perform: (reaction: SessionReaction, context) => performSessionReaction(ports, reaction, context),
  }),
  reactingTo('suspensions', accountEvents, {
    AccountSuspended: ({ accountId }, context) => endAllIfStopped(ports, accountId, context),
    AccountErased: ({ accountId }, context) => endAllIfStopped(ports, accountId, context),
  }),
  reactingTo('erasures', accountEvents, {
    AccountErased: ({ accountId }, context) => ports.carryOutErasure(accountId, context),
  }),
  keyRotationsManager(ports),
  ...lateErasureManagers(ports),
  ...agentSessionManagers(ports.agentSessions, ports),
  ...categoriesWith('timers').map((category) =>
    processManager({
      name: `${category.name}-timers`,
      category,
      types: Object.keys(category.timers),
      react: timersOf,
      perform: (timer) => wakeUpAt(ports, timer),
    }),
  ),
];

/**
 * Acts for who rotated the key: this may store the successor before the request does, which then gets its text. A removal from a team finds a
 * member's keys by who made them.
 */
export const keyRotationsManager = ({
  ensureSuccessor,
}: Pick<ManagerPorts, 'ensureSuccessor'>): ProcessManager => ({
  name: 'key-rotations',
  types: ['ApiKeyRotated'],
  handle: async (event) => {
    if (!hasKnownType<ApiKeyEvent>(apiKeyEvents, event) || event.type !== 'ApiKeyRotated') return;
    const { actor } = event.metadata;
    await ensureSuccessor(event.data, { ...reactionContext('key-rotations', event), actor });
  },
});

function performSessionReaction(
  ports: ManagerPorts,
  reaction: SessionReaction,
  context: CommandContext,
): Promise<void> {
  switch (reaction.type) {
    case 'CleanUpSession':
      return ports.sessions.cleanUp(reaction.sessionId, context);
    case 'EndIfSuspended':
      return endIfStopped(ports, reaction.accountId, (sessions) =>
        sessions.endSuspended(reaction.sessionId, context),
      );
  }
}

const endAllIfStopped = (ports: ManagerPorts, accountId: AccountId, context: CommandContext) =>
  endIfStopped(ports, accountId, (sessions) => sessions.endForSuspension(accountId, context));

/** Reads the account's present state: a suspension lifted meanwhile ends nothing. */
async function endIfStopped(
  { sessions, isStopped }: ManagerPorts,
  accountId: AccountId,
  end: (sessions: SessionCommands) => Promise<void>,
): Promise<void> {
  if (await isStopped(accountId)) await end(sessions);
}
