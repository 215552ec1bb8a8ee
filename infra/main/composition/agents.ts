import { createAgentSessionUpkeep, type AgentSettings } from '../../../commands/agent-session/index.ts';
import { defaultTurnSettings, type TurnSettings } from '../../../commands/agent-session/turn/index.ts';
import type { SessionCommands } from '../../../commands/session/index.ts';
import type { WriteApiOptions } from '../../../write-api/index.ts';
import type { Config } from '../../config/index.ts';
import { createAnthropicDecomposer } from '../../model/anthropic/decomposer.ts';
import { grammar } from '../../model/grammar/grammar.ts';
import { createHeartbeats } from '../../ephemeral/index.ts';
import { openOutboundGuard } from './outbound.ts';
import type { Ports } from './ports.ts';

export const agentSettings = (config: Config): AgentSettings => ({
  models: config.LLM_MODELS,
  tokenBudget: config.AGENT_TOKEN_BUDGET,
  turnLeaseMs: config.TURN_LEASE,
  pairHeartbeatMs: config.PAIR_HEARTBEAT,
  resumeWithinMs: config.RESUME_WITHIN,
  grants: config.PAIR_GRANTS === 'on',
});

/** What agent sessions and their turns need from outside. */
export function agentPorts({
  config,
  clock,
  logger,
  pool,
  vault,
}: Ports): Pick<WriteApiOptions, 'agents' | 'turns'> {
  const heartbeats = createHeartbeats({ pool, clock, logger });
  const guard = openOutboundGuard(config);
  const model = createAnthropicDecomposer({ guard, baseUrl: config.LLM_BASE_URL });
  return {
    agents: { vault, heartbeats, settings: agentSettings(config) },
    turns: { grammar, model, settings: turnSettings(config) },
  };
}

const turnSettings = (config: Config): TurnSettings => ({
  ...defaultTurnSettings,
  decomposer: config.DECOMPOSER,
  admitWithinMs: config.SLOT_LEASE / 2,
  turnDeadlineMs: config.TURN_DEADLINE,
  bundledKey: config.LLM_API_KEY,
  defaultCapCents: config.BUNDLED_LLM_CAP,
});

/** What happens to agent sessions because of time and events. */
export const agentUpkeepOn = (
  { config, clock, logger, pool, runner, fleet }: Ports,
  sessions: SessionCommands,
) =>
  createAgentSessionUpkeep({
    ...{ runner, fleet, sessions, clock, settings: agentSettings(config) },
    heartbeats: createHeartbeats({ pool, clock, logger }),
  });
