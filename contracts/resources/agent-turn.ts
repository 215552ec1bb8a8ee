import {
  Type,
  Timestamp,
  closed,
  nullable,
  ofKind,
  taggedUnion,
  oneOf,
  requestBody,
  type Static,
} from '../schema.ts';
import { idSchema } from '../ids.ts';
import { failureCategories } from '../operations.ts';
import { AgentSession } from './agent-session.ts';
import { longestTimeoutMs } from './operation-timeout.ts';
import { MetElement } from './target.ts';
import { Condition, actions, captureKinds, type Action } from './session.ts';
import { Variables, typeTextOrVariable } from './variables.ts';
import { textForms } from '../text-forms.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const timeoutMs = Type.Optional(Type.Integer({ minimum: 1, maximum: longestTimeoutMs }));

/** The actions of an agent: those of a driver session, where `type` may name a variable instead of a text. */
const agentActions = { ...actions, type: typeTextOrVariable };
const action = Type.Unsafe<Static<(typeof agentActions)[keyof typeof agentActions]>>(
  Type.Union(Object.values(agentActions)),
);

/** The closed set of intents, independent of models' answers and pages' texts. */
export const intents = {
  navigate: ofKind('navigate', { url: text(8192) }),
  interact: ofKind('interact', { action }),
  wait: ofKind('wait', { condition: Condition, timeout_ms: timeoutMs }),
  capture: ofKind('capture', { capture: oneOf(captureKinds) }),
  scroll: ofKind('scroll', {
    direction: oneOf(['up', 'down', 'left', 'right']),
    /** In CSS pixels; default: most of the viewport. */
    amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  }),
  behavioral_pause: ofKind('behavioral_pause', {
    duration_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
  }),
};
export const Intent = taggedUnion('kind', intents);
export type Intent = Static<typeof Intent>;
type Interaction = Extract<Intent, { kind: 'interact' }>;
/** An intent as sent to a browser, with variables replaced by their values. */
export type FilledIntent =
  | Exclude<Intent, Interaction>
  | (Omit<Interaction, 'action'> & { readonly action: Action });
/** Maximum intents of one plan. */
export const longestPlan = 50;
/** Maximum intents of all rounds of a turn. */
export const longestTurn = 100;

/**
 * Limits that prevent another round of a turn. `circles`: its last rounds left the page unchanged; `model`: it could not be
 * called again; `browser`: it has ended.
 */
export const turnLimits = ['browser', 'rounds', 'intents', 'deadline', 'tokens', 'circles', 'model'] as const;
export type TurnLimit = (typeof turnLimits)[number];

/** An intent as shown and stored: without texts of a sensitive action. */
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
    /** Id of a capture; see `GET /v1/agent-sessions/{id}/captures/{capture_id}`. */
    captureId: Type.Optional(idSchema('capture')),
    /** The matched element. */
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
  /** Approvals of intents that the previous answer lists as not executed; `intent_index` counts over its `intents`, from 0. */
  approvals: Type.Optional(
    Type.Array(closed({ intent_index: Type.Integer({ minimum: 0 }), approved: Type.Boolean() }), {
      maxItems: 100,
    }),
  ),
  /** A recipe of the caller's own account, whose steps are executed instead of the message. */
  recipe_id: Type.Optional(Type.String({ maxLength: 64, description: '`rec_<uuid>`' })),
  /** Values of the recipe's parameters, by name. */
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 })),
  variables: Type.Optional(Variables),
  result_schema: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'A JSON Schema (2020-12) of an object or an array: up to 16 KiB, `$ref` only within itself, nested at most 8 levels deep. The turn ends with one more call ' +
        'of a model, which fills it in from the last page and the steps; the answer has it as `result`.',
    }),
  ),
});
export type Message = Static<typeof Message>;

const result = {
  result: Type.Optional(
    Type.Unknown({
      description:
        'The result in the form of `result_schema`; null if it could not be filled in. Present only if the message had a schema.',
    }),
  ),
  result_error: Type.Optional(
    nullable(
      Type.String({
        description: 'Why `result` is null; else null. Present only if the message had a `result_schema`.',
      }),
    ),
  ),
};

/** Number of times that the agent observed the page and decided. */
const rounds = Type.Optional(Type.Integer({ minimum: 0 }));

const answer = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(
  kind: K,
  properties: P,
) => ofKind(kind, { session: AgentSession, ...properties });
export const MessageAnswer = Type.Union([
  answer('plan-executed', {
    /**
     * Intents of all rounds, in order. A round that failed has only the tried ones, unless it was the last. Intents that were not
     * executed and need `approvals` are at the end.
     */
    intents: Type.Array(ShownIntent),
    /** Results so far: the first failure ends a round. */
    results: Type.Array(IntentResult),
    /** True if the last round succeeded or answered, and no limit ended the turn. */
    ok: Type.Boolean(),
    usage: Type.Optional(Usage),
    rounds,
    /** Of a later round that ended with a question or a refusal. */
    clarifying_question: Type.Optional(Type.String()),
    refuse_reason: Type.Optional(Type.String()),
    ...result,
  }),
  answer('clarify', {
    clarifying_question: Type.String(),
    /** Intents that were not executed, if the question is about them: `approvals` count over these. */
    intents: Type.Optional(Type.Array(ShownIntent)),
    usage: Type.Optional(Usage),
    rounds,
    ...result,
  }),
  answer('refuse', { refuse_reason: Type.String(), usage: Type.Optional(Usage), rounds, ...result }),
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
  /** Only for an executed plan. */
  intents: Type.Optional(Type.Array(ShownIntent)),
  /** For a message with a `result_schema`, as in its answer. */
  result: Type.Optional(Type.Unknown()),
  result_error: Type.Optional(nullable(Type.String())),
});
export type TranscriptEntry = Static<typeof TranscriptEntry>;
export const IndexedEntry = closed({ index: Type.Integer({ minimum: 0 }), entry: TranscriptEntry });
export type IndexedEntry = Static<typeof IndexedEntry>;

/** Maximum characters of a model's note for its next round. */
export const longestNote = 600;

/** The secret words of the message, whether or not the plan types them. Not stored. */
const secrets = Type.Optional(Type.Array(Type.String()));

/** The decision of one round. */
export const Plan = Type.Union([
  closed({
    decision: Type.Literal('plan'),
    intents: Type.Array(Intent, { minItems: 1, maxItems: longestPlan }),
    /** Whether the page is read after the plan, to answer the message. */
    readBack: Type.Boolean(),
    /** What follows after success: by default nothing, else another observation of the page. */
    after: Type.Optional(oneOf(['done', 'look'])),
    /** For the model, in the next round. Not stored. */
    note: Type.Optional(Type.String({ maxLength: longestNote })),
    /** Whether the next observation includes a picture of the page. */
    picture: Type.Optional(Type.Boolean()),
    secrets,
  }),
  closed({ decision: Type.Literal('clarify'), question: Type.String(), secrets }),
  closed({ decision: Type.Literal('refuse'), reason: Type.String(), secrets }),
  closed({ decision: Type.Literal('answer'), answer: Type.String(), secrets }),
]);
export type Plan = Static<typeof Plan>;
