import { Type, Timestamp, closed, ofKind, taggedUnion, oneOf, requestBody, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { failureCategories } from '../operations.ts';
import { AgentSession } from './agent-session.ts';
import { MetElement } from './target.ts';
import { Action, Condition, captureKinds } from './session.ts';
import { textForms } from '../text-forms.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const timeoutMs = Type.Optional(Type.Integer({ minimum: 1, maximum: 120_000 }));

/** The closed set of intents, independent of the answers of models and the texts of pages. */
export const intents = {
  navigate: ofKind('navigate', { url: text(8192) }),
  interact: ofKind('interact', { action: Action }),
  wait: ofKind('wait', { condition: Condition, timeout_ms: timeoutMs }),
  capture: ofKind('capture', { capture: oneOf(captureKinds) }),
  scroll: ofKind('scroll', {
    direction: oneOf(['up', 'down', 'left', 'right']),
    /** Device-CSS pixels; by default most of what is in view. */
    amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  }),
  behavioral_pause: ofKind('behavioral_pause', {
    duration_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
  }),
};
export const Intent = taggedUnion('kind', intents);
export type Intent = Static<typeof Intent>;
/** Intents of one plan. */
export const longestPlan = 50;

/** An intent as it is shown and kept: without what a sensitive action types. */
export const ShownIntent = Type.Object(
  { kind: oneOf(Object.keys(intents) as ['navigate', ...string[]]) },
  { additionalProperties: true },
);
export type ShownIntent = Static<typeof ShownIntent> & Readonly<Record<string, unknown>>;

export const IntentResult = Type.Union([
  closed({
    kind: Type.Literal('success'),
    intent: ShownIntent,
    summary: Type.String(),
    /** Of a capture; see `GET /v1/agent-sessions/{id}/captures/{capture_id}`. */
    captureId: Type.Optional(idSchema('capture')),
    /** The element that was acted on. */
    target: Type.Optional(MetElement),
    /** True if the selector of a recipe's step matched nothing and the element was found by its visible description. */
    healed: Type.Optional(Type.Literal(true)),
  }),
  closed({
    kind: Type.Literal('failure'),
    intent: ShownIntent,
    reason: Type.String(),
    diagnosis: closed({ category: oneOf(failureCategories), retryable: Type.Boolean() }),
  }),
]);
export type IntentResult = Static<typeof IntentResult>;

export const Usage = closed({
  /** `deterministic`, or the kind of model that decided. */
  decomposer_kind: oneOf(['deterministic', 'own_key', 'bundled']),
  model: Type.Optional(Type.String()),
  provider_input_tokens: Type.Optional(Type.Integer()),
  provider_output_tokens: Type.Optional(Type.Integer()),
  cost_usd_cents: Type.Optional(Type.Integer()),
});
export type AgentUsage = Static<typeof Usage>;

export const Message = requestBody({
  user_message: Type.String({ minLength: 1, maxLength: 20_000, pattern: textForms.notBlank.pattern }),
  approvals: Type.Optional(
    Type.Array(closed({ intent_index: Type.Integer({ minimum: 0 }), approved: Type.Boolean() }), {
      maxItems: 100,
    }),
  ),
  /** A recipe of the caller's own account, whose steps are carried out instead of the message. */
  recipe_id: Type.Optional(Type.String({ maxLength: 64, description: '`rec_<uuid>`' })),
  /** Values for the parameters of the recipe, by their names. */
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 })),
});
export type Message = Static<typeof Message>;

const answer = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(
  kind: K,
  properties: P,
) => ofKind(kind, { session: AgentSession, ...properties });
export const MessageAnswer = Type.Union([
  answer('plan-executed', {
    intents: Type.Array(ShownIntent),
    /** As far as it went: the first failure ends it. */
    results: Type.Array(IntentResult),
    ok: Type.Boolean(),
    usage: Type.Optional(Usage),
  }),
  answer('clarify', { clarifying_question: Type.String(), usage: Type.Optional(Usage) }),
  answer('refuse', { refuse_reason: Type.String(), usage: Type.Optional(Usage) }),
  answer('logged-manual', {}),
]);
export type MessageAnswer = Static<typeof MessageAnswer>;

export const turnPhases = ['admitted', 'decomposing', 'executing', 'settling'] as const;
export type TurnPhase = (typeof turnPhases)[number];

export const transcriptRoles = ['user', 'agent', 'operator'] as const;
export const TranscriptEntry = closed({
  role: oneOf(transcriptRoles),
  body: Type.String(),
  at: Timestamp,
  /** Only of a plan that an agent carried out. */
  intents: Type.Optional(Type.Array(ShownIntent)),
});
export type TranscriptEntry = Static<typeof TranscriptEntry>;
export const IndexedEntry = closed({ index: Type.Integer({ minimum: 0 }), entry: TranscriptEntry });
export type IndexedEntry = Static<typeof IndexedEntry>;

/** The result of decomposing a message. */
export const Plan = Type.Union([
  closed({
    decision: Type.Literal('plan'),
    intents: Type.Array(Intent, { minItems: 1, maxItems: longestPlan }),
    /** Whether the page is to be read, once the plan has been carried out, to answer the message. */
    readBack: Type.Boolean(),
  }),
  closed({ decision: Type.Literal('clarify'), question: Type.String() }),
  closed({ decision: Type.Literal('refuse'), reason: Type.String() }),
  closed({ decision: Type.Literal('answer'), answer: Type.String() }),
]);
export type Plan = Static<typeof Plan>;
