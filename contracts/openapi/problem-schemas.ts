import { oauthErrors } from '../oauth.ts';
import { failureCategories } from '../operations.ts';
import { problems, type ProblemSlug } from '../problems.ts';
import { agentStatuses } from '../resources/agent-session.ts';
import { IntentResult, turnPhases, Usage } from '../resources/agent-turn.ts';
import type { Route } from '../routes/index.ts';
import { tiers } from '../tiers.ts';
import { jsonSchemaWithRefs, referenceTo, type JsonObject } from './json-schema.ts';
import { schemaNames } from './names.ts';
import { inPascalCase } from './words.ts';

const integer: JsonObject = { type: 'integer', minimum: 0 };
const string: JsonObject = { type: 'string' };
const retryAfter: JsonObject = { ...integer, description: 'The same as `Retry-After`.' };

const oauthError: JsonObject = {
  enum: Object.keys(oauthErrors),
  description: 'Only at the OAuth endpoints (RFC 6749, 5.2; RFC 8628, 3.5).',
};

/** Members of a problem beyond RFC 9457. */
const extensions: Partial<Record<ProblemSlug, JsonObject>> = {
  'bad-request': { error: oauthError },
  'validation-failed': {
    error: oauthError,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: {
          path: {
            ...string,
            description: 'JSON pointer into the request: `/body/action/kind`, `/query/limit`.',
          },
          code: {
            ...string,
            description: 'The kind of rule that failed: a JSON Schema keyword, `text`, `depth` …',
          },
          message: { ...string, description: 'A sentence that names the field and says what it must be.' },
        },
      },
    },
  },
  'bundled-llm-budget-exhausted': { spent_cents: integer, cap_cents: integer },
  'mfa-step-up-required': { requires_mfa_step_up: { const: true } },
  conflict: {
    active_replay_id: {
      ...string,
      description: 'The running replay, if the endpoint already has one.',
    },
    retry_after_seconds: {
      ...integer,
      description:
        'The same as `Retry-After`, while the first request with this `Idempotency-Key` is not answered.',
    },
    agent_session_id: { ...string, description: 'The agent session that uses the driver session.' },
    agent_session_status: {
      enum: agentStatuses.filter((status) => status !== 'active'),
      description: 'Status of the agent session, if it is not active.',
    },
    service_session_id: { ...string, description: 'The driver session that has ended.' },
    ai_control_unavailable: {
      const: true,
      description: 'Only of messages: the agent does not have, or has lost, the controls.',
    },
    phase: { enum: [...turnPhases], description: 'Phase of the turn that runs, or that was interrupted.' },
    tokens_consumed: { ...integer, description: 'Tokens that the interrupted turn used.' },
    usage: { ...jsonSchemaWithRefs(Usage, schemaNames), description: 'What the interrupted turn used.' },
    partial_results: {
      type: 'array',
      items: jsonSchemaWithRefs(IntentResult, schemaNames),
      description: 'What the interrupted turn has done. It is not undone, and not repeated.',
    },
  },
  'profile-in-use': { active_session_id: string },
  'storage-quota-exceeded': { used_bytes: integer, cap_bytes: integer, tier: { enum: [...tiers] } },
  'pair-mode-conflict': { winner_client_id: string },
  'pair-mode-invalid-transition': { from: string, transition: string },
  'proxy-validation-failed': {
    reason: { enum: ['unreachable', 'auth_failed', 'timeout', 'egress_blocked'] },
  },
  'concurrency-limit': { current_sessions: integer, limit: integer },
  'tier-limit': { limit: { ...integer, description: 'The limit, of some resources.' } },
  'rate-limited': { retry_after_seconds: retryAfter },
  'feature-unavailable': { retry_after_seconds: retryAfter },
  'payments-unavailable': { retry_after_seconds: retryAfter },
  'model-unavailable': { retry_after_seconds: retryAfter },
  'byok-llm-required': {
    reason: {
      const: 'rejected',
      description:
        'The provider does not accept the key, has no credit for it, or does not offer the model to it. Absent if there is no key.',
    },
  },
  'driver-error': {
    category: {
      enum: [...failureCategories],
      description: 'What failed on the page. Absent when the browser failed.',
    },
  },
};

const alwaysExtended: readonly ProblemSlug[] = [
  'validation-failed',
  'concurrency-limit',
  'rate-limited',
  'bundled-llm-budget-exhausted',
  'mfa-step-up-required',
  'profile-in-use',
];

/** Required only if every such problem has its extensions. */
const required = (slug: ProblemSlug) =>
  alwaysExtended.includes(slug) ? Object.keys(extensions[slug] ?? {}).filter((name) => name !== 'error') : [];

/** Members that a problem may have, beyond those of RFC 9457. */
export const problemMembers = (slug: ProblemSlug): readonly string[] => Object.keys(extensions[slug] ?? {});

export const problemSlugs = Object.keys(problems) as readonly ProblemSlug[];
export const problemName = (slug: ProblemSlug): string => `${inPascalCase(slug)}Problem`;

const typeOf = (slug: ProblemSlug, errorsBase: string): string => `${errorsBase}/${slug}`;

/** Members of every problem (RFC 9457), and the schemas of all problems, including ones that no operation lists. */
export const anyProblemSchema = (errorsBase: string): JsonObject => ({
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: string,
    title: string,
    status: { type: 'integer' },
    detail: string,
    instance: { ...string, description: 'The request id.' },
  },
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      problemSlugs.map((slug) => [typeOf(slug, errorsBase), referenceTo('schemas', problemName(slug)).$ref]),
    ),
  },
});

export function problemSchema(slug: ProblemSlug, errorsBase: string): JsonObject {
  const always = required(slug);
  return {
    allOf: [referenceTo('schemas', 'Problem')],
    title: problems[slug].title,
    ...(always.length > 0 && { required: always }),
    properties: {
      type: { const: typeOf(slug, errorsBase) },
      status: { const: problems[slug].status },
      ...extensions[slug],
    },
  };
}

/** Any route refuses a malformed query. */
const everywhere = ['internal', 'feature-unavailable', 'validation-failed'] as const;
const withCredential = ['unauthorized', 'invalid-key', 'revoked-key', 'expired-key', 'forbidden'] as const;

/** A route without credentials still refuses a cookie that another site's page sends. */
const ofCredentials = ({ scopes, side }: Route): readonly ProblemSlug[] => {
  if (scopes !== null) return withCredential;
  return side === 'write' ? ['forbidden'] : [];
};

/** Every problem of a route: its own and those that follow from its columns in the table. */
export function problemsOf(route: Route): ProblemSlug[] {
  const slugs: ProblemSlug[] = [
    ...route.problems,
    ...everywhere,
    ...ofCredentials(route),
    ...(route.scopes === null || route.ungated?.includes('terms')
      ? []
      : (['legal-acceptance-required'] as const)),
    ...(route.stepUp ? (['mfa-step-up-required'] as const) : []),
    ...(route.bucket === null ? [] : (['rate-limited'] as const)),
    ...(route.accountHeader === 'honored' ? (['not-found'] as const) : []),
    ...(route.body === undefined ? [] : (['bad-request'] as const)),
    // Reads take a position to wait for, and refuse an invalid one.
    ...(route.side === 'read' && route.scopes !== null ? (['bad-request'] as const) : []),
    ...(route.idempotencyKey ? (['conflict'] as const) : []),
  ];
  return [...new Set(slugs)];
}
