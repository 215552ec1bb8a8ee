import { createAgentSessionCommands, type AgentSessionPorts } from '../commands/agent-session/index.ts';
import { createTurns } from '../commands/agent-session/turn/index.ts';
import type { AgentVideo } from '../commands/agent-session/video.ts';
import type { Runner } from '../commands/engine/runner.ts';
import { createRecipeCommands } from '../commands/recipe/index.ts';
import type { SessionCommands } from '../commands/session/index.ts';
import type { TeamCommands } from '../commands/team/index.ts';
import type { EventStore } from '../infra/event-store/client/types.ts';
import { systemPause } from '../infra/platform/clock.ts';
import { agentMessageHandlers } from './agent-message.ts';
import { agentSessionHandlers } from './agent-session.ts';
import type { Handling } from './engine/handling.ts';
import type { Idempotently } from './engine/idempotency.ts';
import type { WriteApiOptions } from './index.ts';
import { recipeHandlers } from './recipe.ts';
import { assertSound } from './session-operation-bodies.ts';

/** What agents work with of the rest of the write side. */
interface Deciding extends Pick<AgentSessionPorts, 'proxies'> {
  readonly runner: Runner;
  readonly store: EventStore;
  readonly sessions: SessionCommands;
  readonly teams: Pick<TeamCommands, 'role'>;
  readonly agentVideo: AgentVideo;
}

/** The routes of agent sessions, of what is said in them, and of what is kept of them to be done again. */
export function agentHandlers(
  options: WriteApiOptions,
  deciding: Deciding,
  handling: Handling,
  once: Idempotently,
) {
  const { clock } = options;
  const agents = createAgents(options, deciding);
  const turns = createTurnsOn(options, deciding);
  const recipes = createRecipes(options, deciding);
  return {
    ...agentMessageHandlers({ turns, recipes, clock }, handling, once),
    ...agentSessionHandlers(agents, handling, once),
    ...recipeHandlers(recipes, agents, handling),
  };
}

const createTurnsOn = (
  { agents, turns, fleet, addresses, clock, logger }: WriteApiOptions,
  { runner, store, sessions }: Deciding,
) =>
  createTurns({
    ...{ ...agents, ...turns, runner, store, sessions, fleet, clock, logger, pause: systemPause },
    settings: { ...agents.settings, ...turns.settings },
    assertSound: (operation, body) => assertSound(operation, body, addresses),
  });

const createAgents = (
  { agents, clock, fleet, addresses }: WriteApiOptions,
  { runner, sessions, proxies, agentVideo }: Deciding,
) => {
  const { videoFor } = agentVideo;
  return createAgentSessionCommands({
    ...{ ...agents, runner, clock, fleet, addresses, sessions, proxies, videoFor },
  });
};

const createRecipes = (
  { agents, archetypes, clock }: WriteApiOptions,
  { runner, store, teams: { role: roleOn } }: Deciding,
) => createRecipeCommands({ ...{ vault: agents.vault, runner, store, clock, archetypes, roleOn } });
