import type { Intent, Plan, ShownIntent } from '../../../contracts/resources/agent-turn.ts';
import { targetNames } from '../../../contracts/resources/target.ts';
import type { Variables } from '../../../contracts/resources/variables.ts';
import { hiddenIn, isTooShort, spansOf, type HiddenValue } from './hidden-values.ts';
import { spansWithin, withoutSpans } from './spans.ts';
import { typesVariable, variableIn } from './variables.ts';

/** Replacement for a secret. */
export const hidden = '[hidden]';

type TypedText = Extract<Extract<Intent, { kind: 'interact' }>['action'], { text: string; kind: 'type' }>;

const typed = (intent: Intent): TypedText | undefined =>
  intent.kind === 'interact' && intent.action.kind === 'type' && 'text' in intent.action
    ? intent.action
    : undefined;

/** A text that is masked everywhere, or a value that is found by its own rules. */
export type Secret = string | HiddenValue;

/** The texts that sensitive actions of a plan type, and the words of the message that a model has marked as secret. */
export const secretsOf = (plan: Plan, message: string): readonly string[] => [
  ...(plan.decision === 'plan' ? secretsIn(plan.intents) : []),
  ...(plan.secrets ?? []).filter((secret) => !isTooShort(secret) && message.includes(secret)),
];

export const secretsIn = (intents: readonly Intent[]): readonly string[] =>
  intents.flatMap((intent) => {
    const action = typed(intent);
    return action?.sensitive && action.text !== '' ? [action.text] : [];
  });

/** Masks all of these in a text. Overlapping secrets are masked together. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  // Each once: a message can name the same secret thousands of times.
  const texts = [...new Set(secrets)].filter((secret) => typeof secret === 'string');
  const values = secrets.filter((secret) => typeof secret !== 'string');
  const spans = [
    ...texts.flatMap((secret) => spansWithin(text, secret)),
    ...spansOf(hiddenIn(values, [text]), text),
  ];
  return spans.length === 0 ? text : withoutSpans(text, spans, hidden);
}

/** Fields that locate elements, which are not masked. */
const untouched: ReadonlySet<string> = new Set([
  ...targetNames.filter((name) => name !== 'text'),
  ...['kind', 'name', 'frame'],
]);

/**
 * An intent for display and storage: without the text of sensitive actions, wherever it occurs, and without contents of files. A variable
 * is shown by its name.
 */
export function shownIntent(
  intent: Intent,
  secrets: readonly Secret[],
  variables: Variables | null = null,
): ShownIntent {
  if (typesVariable(intent)) {
    const { sensitive = true } = variableIn(variables, intent) ?? { sensitive: false };
    return { kind: intent.kind, action: { ...intent.action, ...(sensitive && { sensitive }) } };
  }
  const action = typed(intent);
  if (action !== undefined && (action.sensitive || withoutSecrets(action.text, secrets) !== action.text)) {
    const { text: _typed, ...rest } = action;
    return { kind: intent.kind, action: { ...rest, sensitive: true } };
  }
  return JSON.parse(JSON.stringify(intent), (key: string, value: unknown) => {
    if (key === 'data_base64') return undefined;
    return typeof value === 'string' && !untouched.has(key) ? withoutSecrets(value, secrets) : value;
  }) as ShownIntent;
}

/** A secret after its name, as in `password: x`, `the PIN is "x"` or `type password x`. */
const named =
  /\b(?<name>passwords?|passcode|passphrase|pin|otp|cvv|cvc|secret|token|(?:security|verification|one-time|access) code|api[ -]?key|card number)(?<joint>\s*(?:\bis\b|=|:)\s*|\s+)(?<value>"[^"]+"|'[^']+'|“[^”]+”|[^\s,;]+)/giu;

/** Words after a name that are not secret. */
const ordinary =
  /^(?:and|as|at|box|button|by|change|field|for|form|from|has|if|in|input|into|is|link|manager|must|of|on|or|page|prompt|reset|screen|so|that|the|then|this|to|was|when|with|wrong|you|your)$/i;

/** Parts of a message that look like secrets by the names before them; models and the grammar are more exact. */
export const guessedSecrets = (message: string): readonly string[] =>
  [...message.matchAll(named)].flatMap(({ groups = {} }) => {
    const { value = '', joint = '' } = groups;
    if (/^["'“]/u.test(value)) return [value.slice(1, -1)];
    const word = value.replace(/[.!?)]+$/, '');
    const isSaid = /\S/.test(joint) || /[^a-z]/.test(word) || /^pass/i.test(groups.name ?? '');
    return isTooShort(word) || ordinary.test(word) || !isSaid ? [] : [word];
  });
