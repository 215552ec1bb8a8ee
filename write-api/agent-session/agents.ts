import { createAgentSessionCommands, type AgentSessionPorts } from '../../commands/agent-session/index.ts';
import { createTurns, type TurnOptions, type TurnSettings } from '../../commands/agent-session/turn/index.ts';
import type { AgentVideo } from '../../commands/agent-session/video.ts';
import type { Runner } from '../../commands/engine/runner.ts';
import { createRecipeCommands, type RecipePorts } from '../../commands/recipe/index.ts';
import type { SessionCommands } from '../../commands/session/index.ts';
import type { TeamCommands } from '../../commands/team/index.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { systemPause } from '../../infra/platform/clock.ts';
import { agentMessageHandlers } from './agent-message.ts';
import { agentSessionHandlers } from './agent-session.ts';
import type { Handling } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';
import { recipeHandlers } from '../recipe/recipe.ts';
import { assertSound } from '../session/session-operation-bodies.ts';

/** What a deployment gives to agents. */
export interface AgentOptions
  extends
    Pick<AgentSessionPorts, 'addresses' | 'fleet'>,
    Pick<TurnOptions, 'clock' | 'logger'>,
    Pick<RecipePorts, 'archetypes'> {
  readonly agents: Pick<AgentSessionPorts, 'heartbeats' | 'settings'> & Pick<TurnOptions, 'vault'>;
  /** The decomposer of messages. */
  readonly turns: Pick<TurnOptions, 'grammar' | 'model'> & { readonly settings: TurnSettings };
}

/** Ports of the agents into the rest of the write side. */
interface Deciding extends Pick<AgentSessionPorts, 'proxies'> {
  readonly runner: Runner;
  readonly store: EventStore;
  readonly sessions: SessionCommands;
  readonly teams: Pick<TeamCommands, 'role'>;
  readonly agentVideo: AgentVideo;
}

/** The routes of agent sessions, their messages and recipes. */
export function agentHandlers(
  options: AgentOptions,
  deciding: Deciding,
  handling: Handling,
  once: Idempotently,
) {
  const { clock, addresses, turns: decomposing, agents: stores } = options;
  const ports = { ...options, ...deciding };
  const agents = createAgentSessionCommands({ ...ports, ...stores, videoFor: deciding.agentVideo.videoFor });
  const turns = createTurns({
    ...{ ...ports, ...stores, ...decomposing, pause: systemPause },
    settings: { ...stores.settings, ...decomposing.settings },
    assertSound: (operation, body) => assertSound(operation, body, addresses),
  });
  const recipes = createRecipeCommands({ ...ports, vault: stores.vault, roleOn: deciding.teams.role });
  return {
    ...agentMessageHandlers({ turns, recipes, clock }, handling, once),
    ...agentSessionHandlers(agents, handling, once),
    ...recipeHandlers(recipes, agents, handling),
  };
}
