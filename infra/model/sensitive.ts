import type { Intent } from '../../contracts/resources/agent-turn.ts';
import type { Observation } from '../../contracts/resources/observation.ts';

const long = 'pass ?(?:word|code|phrase)|one-time code|security code';
const short = 'otp|cvv|cvc';
const secretField = new RegExp(`${long}|(?:^|[^a-z])(?:${short})(?![a-z])`, 'i');

/** Whether a field's name indicates a secret. */
export const namesSecret = (name: string): boolean => secretField.test(name);

const quoted = '(?:"(?:\\\\.|[^"\\\\])*"|“[^”]*”)';
const namedSo = `(?:${long}|\\b(?:${short})\\b)`;
/** The grammar's sentences that type a secret. The groups are kept. */
const typingSecrets = [
  `(\\btype\\s+password\\s+)${quoted}()`,
  `(\\btype\\s+)${quoted}(\\s+into\\s+(?:["“][^"”]{0,80}?|selector\\s+\\S{0,200}?)${namedSo})`,
].map((pattern) => new RegExp(pattern, 'gisu'));

/** A message without the secrets that its sentences type, whether or not the grammar parses all of it. */
export const withoutTypedSecrets = (message: string): string =>
  typingSecrets.reduce((text, secret) => text.replace(secret, '$1"[hidden]"$2'), message);

/** The same intents, with texts typed into fields for secrets marked as sensitive, even if the model did not. */
export const markSensitive = (intents: readonly Intent[], page: Observation | null): readonly Intent[] =>
  intents.map((intent) =>
    intent.kind === 'interact' &&
    'text' in intent.action &&
    intent.action.kind === 'type' &&
    typesSecret(intent.action, page)
      ? { ...intent, action: { ...intent.action, sensitive: true } }
      : intent,
  );

type TypeAction = Extract<Extract<Intent, { kind: 'interact' }>['action'], { kind: 'type' }>;

function typesSecret(
  { ref, label, name, placeholder, test_id, selector }: TypeAction,
  page: Observation | null,
) {
  const observed = page?.elements.find((element) => element.ref === ref)?.name;
  return [observed, label, name, placeholder, test_id, selector].some(
    (text) => text !== undefined && namesSecret(text),
  );
}
