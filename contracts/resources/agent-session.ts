import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { IdleTimeoutSeconds, presentIdle } from './idle-timeout.ts';
import { idSchema, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../ids.ts';

export const agentModes = ['ai', 'manual', 'pair'] as const;
export type AgentMode = (typeof agentModes)[number];
export const agentStatuses = ['active', 'paused', 'closed'] as const;
export const pairKinds = [
  'ai-driving',
  'takeover-pending',
  'takeover-queued',
  'human-driving',
  'handback-pending',
  'handback-queued',
] as const;
export type PairKind = (typeof pairKinds)[number];

const Uuid = Type.String({ format: 'uuid' });
/** A model of the provider; the deployment configures which ones are available. */
const Model = Type.String({ minLength: 1, maxLength: 200 });

export const Geolocation = closed(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    /** Metres. */
    accuracy: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  },
  {
    description:
      'Reported to every page that asks for it. Without it pages are refused: none is derived from the exit address of the proxy.',
  },
);
export type Geolocation = Static<typeof Geolocation>;

export const CreateAgentSession = requestBody({
  mode: Type.Optional(oneOf(agentModes, { default: 'ai' })),
  /** Default: the newest. */
  model: Type.Optional(Model),
  /** An existing driver session; without one, the first intent starts one. */
  service_session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  token_budget: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  /** `prof_<uuid>`, or the bare uuid. */
  profile_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** A saved proxy of the account. */
  proxy_id: Type.Optional(idSchema('proxy')),
  /** Absolute, http or https: opened once, before the first intent. */
  initial_url: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
  geolocation: Type.Optional(Geolocation),
  idle_timeout_seconds: Type.Optional(IdleTimeoutSeconds),
});
export type CreateAgentSession = Static<typeof CreateAgentSession>;

export const PairModeState = closed({
  kind: oneOf(pairKinds),
  /** The client that requested the controls or has them. */
  requestedByClientId: Type.Optional(Type.String()),
  requestedAt: Type.Optional(Timestamp),
});
export type PairModeState = Static<typeof PairModeState>;

export const errorSeverities = ['info', 'warn', 'error', 'fatal'] as const;
export const ErrorEvent = closed({
  timestamp: Timestamp,
  code: Type.String(),
  severity: oneOf(errorSeverities),
  summary: Type.String(),
  detail: nullable(Type.String()),
  customer_actionable: Type.Boolean(),
  retryable: Type.Boolean(),
});
export type ErrorEvent = Static<typeof ErrorEvent>;

export const VideoToken = closed({
  ws_url: Type.String(),
  /** The agent session's id. */
  room: idSchema('agentSession'),
  /** JWT, HS256. */
  token: Type.String(),
  participant_identity: Type.String(),
  expires_at: Timestamp,
});
export type VideoToken = Static<typeof VideoToken>;

export const AgentSession = closed({
  id: idSchema('agentSession'),
  /** Without its prefix. */
  account_id: Uuid,
  service_session_id: nullable(idSchema('session')),
  status: oneOf(agentStatuses),
  closed_reason: nullable(Type.String()),
  closed_at: nullable(Timestamp),
  token_budget_total: Type.Integer(),
  token_budget_remaining: Type.Integer(),
  transcript_length: Type.Integer(),
  /** The account of the person behind the credential, without its prefix. */
  created_by_user_id: nullable(Uuid),
  mode: oneOf(agentModes),
  model: Type.String(),
  pair_mode_state: nullable(PairModeState),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** In the answer to a create, if the deployment has video. */
  video: Type.Optional(VideoToken),
  /** The latest failure, which does not close the session. */
  error_event: Type.Optional(nullable(ErrorEvent)),
  /** Only if requested. */
  idle_timeout_seconds: Type.Optional(Type.Integer()),
});
export type AgentSession = Static<typeof AgentSession>;

export const ChangeMode = requestBody({ mode: oneOf(agentModes) });
export const Resume = requestBody({
  challenge_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export const ResumeAccepted = closed({
  status: Type.Literal('resume_requested'),
  session_id: idSchema('agentSession'),
});

export const GuiControlKey = closed({
  /** JWT, HS256. */
  key: Type.String(),
  expires_at: Timestamp,
  agent_session_id: idSchema('agentSession'),
  scope: Type.Literal('gui_control'),
  ws_url: nullable(Type.String()),
});
export type GuiControlKey = Static<typeof GuiControlKey>;

/** The state of an agent session, as far as clients see it. */
export interface StoredAgentSession {
  readonly agentSessionId: AgentSessionId;
  readonly accountId: AccountId;
  readonly status: (typeof agentStatuses)[number];
  readonly closedReason: string | null;
  readonly closedAt: string | null;
  readonly tokenBudget: number;
  readonly tokensUsed: number;
  readonly entries: number;
  readonly createdBy: AccountId | null;
  readonly mode: AgentMode;
  readonly model: string;
  readonly pair: {
    readonly kind: PairKind;
    readonly clientId: string | null;
    readonly since: string;
    readonly requestedAt?: string;
  } | null;
  readonly browser: { readonly sessionId: SessionId } | null;
  readonly error: ErrorEvent | null;
  readonly idle?: { readonly timeoutMs: number } | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const presentAgentSession = (stored: StoredAgentSession): AgentSession => ({
  id: stored.agentSessionId,
  account_id: uuidOf(stored.accountId),
  service_session_id: stored.browser?.sessionId ?? null,
  status: stored.status,
  closed_reason: stored.closedReason,
  closed_at: stored.closedAt,
  token_budget_total: stored.tokenBudget,
  token_budget_remaining: Math.max(0, stored.tokenBudget - stored.tokensUsed),
  transcript_length: stored.entries,
  created_by_user_id: stored.createdBy === null ? null : uuidOf(stored.createdBy),
  mode: stored.mode,
  model: stored.model,
  pair_mode_state: stored.pair === null ? null : presentPair(stored.pair),
  created_at: stored.createdAt,
  updated_at: stored.updatedAt,
  error_event: stored.error,
  ...presentIdle(stored.idle?.timeoutMs),
});

export const presentPair = ({
  kind,
  clientId,
  since,
  requestedAt = since,
}: NonNullable<StoredAgentSession['pair']>): PairModeState => ({
  kind,
  ...(kind !== 'ai-driving' && {
    ...(clientId !== null && { requestedByClientId: clientId }),
    requestedAt,
  }),
});
