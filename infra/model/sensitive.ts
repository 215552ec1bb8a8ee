import type { Intent } from '../../contracts/resources/agent-turn.ts';
import type { Observation } from '../../contracts/resources/observation.ts';

const long = 'pass ?(?:word|code|phrase)|one-time code|security code';
const short = 'otp|cvv|cvc';
const secretField = new RegExp(`${long}|(?:^|[^a-z])(?:${short})(?![a-z])`, 'i');

/** Whether a field's name indicates a secret. */
export const namesSecret = (name: string): boolean => secretField.test(name);

const namedSo = `(?:${long}|\\b(?:${short})\\b)`;
/** The grammar's sentences that type a secret: what stands before the quoted text, and after it. */
const typingSecrets = [
  { before: '\\btype\\s+password\\s+', after: '' },
  { before: '\\btype\\s+', after: `\\s+into\\s+(?:["“][^"”]{0,80}?|selector\\s+\\S{0,200}?)${namedSo}` },
].map(({ before, after }) => ({
  before: new RegExp(`${before}(?=["“])`, 'giu'),
  after: new RegExp(after, 'iuy'),
}));

/** A message without the secrets that its sentences type, whether or not the grammar parses all of it. */
export const withoutTypedSecrets = (message: string): string => typingSecrets.reduce(withoutTyped, message);

/** Finds each closing quote once: a long message may have thousands of opening ones before it. */
function withoutTyped(message: string, { before, after }: (typeof typingSecrets)[number]): string {
  const shown: string[] = [];
  const endOf = endsOfQuotes(message);
  let end = 0;
  for (const { 0: said, index } of message.matchAll(before)) {
    const from = index + said.length;
    const to = index < end ? undefined : endOf(from);
    if (to === undefined || !isAt(message, to, after)) continue;
    shown.push(message.slice(end, from), '"[hidden]"');
    end = to;
  }
  return `${shown.join('')}${message.slice(end)}`;
}

const straight = /"(?:\\.|[^"\\])*"/suy;

/** The index after the quoted text that begins at an index, for increasing indexes; undefined if nothing closes it. */
function endsOfQuotes(message: string): (from: number) => number | undefined {
  let closing = 0;
  return (from) => {
    if (message[from] === '"') return isAt(message, from, straight) ? straight.lastIndex : undefined;
    if (closing !== -1 && closing < from) closing = message.indexOf('”', from);
    return closing === -1 ? undefined : closing + 1;
  };
}

function isAt(text: string, index: number, sticky: RegExp): boolean {
  sticky.lastIndex = index;
  return sticky.test(text);
}

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
