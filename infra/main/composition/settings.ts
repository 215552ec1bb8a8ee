import type { AgentSettings } from '../../../commands/agent-session/index.ts';
import { defaultTurnSettings, type TurnSettings } from '../../../commands/agent-session/turn/index.ts';
import type { LoginPorts } from '../../../commands/login/index.ts';
import type { SessionLimits } from '../../../commands/session/index.ts';
import type { WebhookLimits } from '../../../commands/webhook-endpoint/index.ts';
import type { Config } from '../../config/index.ts';

export const sessionLimits = (config: Config): SessionLimits => ({
  slotLeaseMs: config.SLOT_LEASE,
  creationDeadlineMs: config.CREATION_DEADLINE,
  creationLeaseMs: config.CREATION_LEASE,
  operationTimeoutMs: config.OPERATION_TIMEOUT,
  silenceGraceMs: config.OPERATION_TIMEOUT_GRACE,
  freeSessionMs: config.FREE_SESSION_LIMIT,
  saveLeaseMs: config.SAVE_LEASE,
  profileWaitMs: config.PROFILE_WAIT,
});

export const agentSettings = (config: Config): AgentSettings => ({
  models: config.LLM_MODELS,
  tokenBudget: config.AGENT_TOKEN_BUDGET,
  turnLeaseMs: config.TURN_LEASE,
  pairHeartbeatMs: config.PAIR_HEARTBEAT,
  resumeWithinMs: config.RESUME_WITHIN,
  startWithinMs: config.PROFILE_WAIT + config.SLOT_LEASE,
  grants: config.PAIR_GRANTS !== 'off',
});

export const turnSettings = (config: Config): TurnSettings => ({
  ...defaultTurnSettings,
  decomposer: config.DECOMPOSER,
  admitWithinMs: config.SLOT_LEASE / 2,
  turnDeadlineMs: config.TURN_DEADLINE,
  rounds: config.AGENT_ROUNDS,
  pictures: config.AGENT_PICTURES === 'on',
  bundledKey: config.LLM_API_KEY,
  defaultCapCents: config.BUNDLED_LLM_CAP,
});

/** Minimum interval of recorded heartbeats of a key in milliseconds: well below the shortest lease. */
export const heartbeatEveryMs = ({ TURN_LEASE, PAIR_HEARTBEAT }: Config): number =>
  Math.min(3000, TURN_LEASE / 6, PAIR_HEARTBEAT / 6);

export const webhookLimits = (config: Config): WebhookLimits => ({
  perAccount: config.WEBHOOKS_PER_ACCOUNT,
  secretGraceMs: config.WEBHOOK_SECRET_GRACE,
  secretReminderMs: config.WEBHOOK_SECRET_REMINDER,
});

/** Lifetimes of mailed links, in milliseconds. */
export const linkLifetimes = (config: Config): LoginPorts['lifetimesMs'] => ({
  verification: config.VERIFICATION_TTL,
  magic_link: config.MAGIC_LINK_TTL,
  password_reset: config.PASSWORD_RESET_TTL,
  merge: config.MERGE_TTL,
});
