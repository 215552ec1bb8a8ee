import type pg from 'pg';
import { createAgentSessionUpkeep, type AgentSettings } from '../../../commands/agent-session/index.ts';
import { defaultTurnSettings } from '../../../commands/agent-session/turn/index.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import type { SessionCommands } from '../../../commands/session/index.ts';
import type { WriteApiOptions } from '../../../write-api/index.ts';
import type { Config } from '../../config/index.ts';
import type { LiveFleet } from '../../fleet/control-plane/port.ts';
import { createAnthropicDecomposer } from '../../model/anthropic/decomposer.ts';
import { grammar } from '../../model/grammar/grammar.ts';
import { createSignsOfLife } from '../../postgres/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { openOutboundGuard } from './outbound.ts';
import { openVault } from './stores.ts';

type Opening = Pick<RoleContext, 'config' | 'clock' | 'logger'>;

const agentSettings = (config: Config): AgentSettings => ({
  models: config.LLM_MODELS,
  tokenBudget: config.AGENT_TOKEN_BUDGET,
  turnLeaseMs: config.TURN_LEASE,
  pairHeartbeatMs: config.PAIR_HEARTBEAT,
  resumeWithinMs: config.RESUME_WITHIN,
  grants: config.PAIR_GRANTS === 'on',
});

/** What agent sessions need from outside. */
const agentPorts = ({ config, clock, logger }: Opening, pool: pg.Pool) => ({
  vault: openVault(config, pool),
  signsOfLife: createSignsOfLife({ pool, clock, logger }),
  settings: agentSettings(config),
});

/** The ports of agent sessions, and what turns messages into steps. */
export function messagePorts(context: Opening, pool: pg.Pool): Pick<WriteApiOptions, 'agents' | 'turns'> {
  const { config } = context;
  const agents = agentPorts(context, pool);
  const { turnLeaseMs, pairHeartbeatMs } = agents.settings;
  const settings = {
    ...defaultTurnSettings,
    turnLeaseMs,
    pairHeartbeatMs,
    decomposer: config.DECOMPOSER,
    admitWithinMs: config.SLOT_LEASE / 2,
    turnDeadlineMs: config.TURN_DEADLINE,
    bundledKey: config.LLM_API_KEY,
    defaultCapCents: config.BUNDLED_LLM_CAP,
  };
  const model = createAnthropicDecomposer({ guard: openOutboundGuard(config), baseUrl: config.LLM_BASE_URL });
  return { agents, turns: { ...agents, grammar, model, settings } };
}

interface Deciding {
  readonly pool: pg.Pool;
  readonly runner: Runner;
  readonly sessions: SessionCommands;
  readonly fleet: Pick<LiveFleet, 'live'>;
}

/** What happens to agent sessions because of time and events. */
export const agentUpkeepOn = (context: Opening, { pool, ...deciding }: Deciding) =>
  createAgentSessionUpkeep({ ...agentPorts(context, pool), ...deciding, clock: context.clock });
