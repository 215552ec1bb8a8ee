import type { Intent, Plan, ShownIntent } from '../../../contracts/resources/agent-turn.ts';
import { targetNames } from '../../../contracts/resources/target.ts';

/** Replacement for a secret. */
const hidden = '[hidden]';

type TypeAction = Extract<Extract<Intent, { kind: 'interact' }>['action'], { kind: 'type' }>;

const typed = (intent: Intent): TypeAction | undefined =>
  intent.kind === 'interact' && intent.action.kind === 'type' ? intent.action : undefined;

/** The texts that sensitive actions of a plan type. */
export const secretsOf = (plan: Plan): readonly string[] =>
  plan.decision === 'plan' ? secretsIn(plan.intents) : [];

export const secretsIn = (intents: readonly Intent[]): readonly string[] =>
  intents.flatMap((intent) => {
    const action = typed(intent);
    return action?.sensitive && action.text !== '' ? [action.text] : [];
  });

/** The longest first, so that none leaves the rest of another behind. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  [...secrets]
    .sort((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, hidden), text);

/** Fields that locate elements, which are not masked. */
const untouched: ReadonlySet<string> = new Set([
  ...targetNames.filter((name) => name !== 'text'),
  ...['kind', 'name', 'frame'],
]);

/** An intent for display and storage: without the text of sensitive actions, wherever it occurs, and without contents of files. */
export function shownIntent(intent: Intent, secrets: readonly string[]): ShownIntent {
  const action = typed(intent);
  if (action !== undefined && (action.sensitive || secrets.some((each) => action.text.includes(each)))) {
    const { text: _typed, ...rest } = action;
    return { kind: intent.kind, action: { ...rest, sensitive: true } };
  }
  return JSON.parse(JSON.stringify(intent), (key: string, value: unknown) => {
    if (key === 'data_base64') return undefined;
    return typeof value === 'string' && !untouched.has(key) ? withoutSecrets(value, secrets) : value;
  }) as ShownIntent;
}

/** A secret that is called by its name, as in `password: x`, `the PIN is "x"` or `type password x`. */
const named =
  /\b(?<name>passwords?|passcode|passphrase|pin|otp|cvv|cvc|secret|token|(?:security|verification|one-time|access) code|api[ -]?key|card number)(?<joint>\s*(?:\bis\b|=|:)\s*|\s+)(?<value>"[^"]+"|'[^']+'|“[^”]+”|[^\s,;]+)/giu;

/** Words after a name that are no secret. */
const ordinary =
  /^(?:and|as|at|box|button|by|change|field|for|form|from|has|if|in|input|into|is|link|manager|must|of|on|or|page|prompt|reset|screen|so|that|the|then|this|to|was|when|with|wrong|you|your)$/i;

/** Parts of a message that look like secrets by the names before them; a model or the grammar is more exact. */
export const guessedSecrets = (message: string): readonly string[] =>
  [...message.matchAll(named)].flatMap(({ groups = {} }) => {
    const { value = '', joint = '' } = groups;
    if (/^["'“]/u.test(value)) return [value.slice(1, -1)];
    const word = value.replace(/[.!?)]+$/, '');
    const isSaid = /\S/.test(joint) || /[^a-z]/.test(word) || /^pass/i.test(groups.name ?? '');
    return word === '' || ordinary.test(word) || !isSaid ? [] : [word];
  });
