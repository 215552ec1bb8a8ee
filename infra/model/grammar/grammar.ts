import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Target } from '../../../contracts/resources/target.ts';
import { isIntent } from '../intents.ts';
import type { Grammar } from '../port.ts';
import { namesSecret, withoutTypedSecrets } from '../sensitive.ts';
import { sentencesOf, unquoted, type Sentence } from './sentences.ts';

/** Parses a sentence with a known verb; undefined if it does not have this form. */
type Reading = (captured: readonly (string | undefined)[], sentence: Sentence) => Intent | undefined;

const captureOf =
  (capture: 'screenshot' | 'dom_snapshot' | 'pdf'): Reading =>
  () => ({ kind: 'capture', capture });

/** The supported sentences. Patterns match the sentence's shape, where quoted text is a number in quotes. */
const forms: readonly (readonly [RegExp, Reading])[] = [
  [
    /^(?:go to|open|navigate to) (\S+)$/i,
    ([address = ''], { quoted }) => navigateTo(textOf(address, quoted) ?? address),
  ],
  [
    /^(?:tap|click|press)(?: on)? (.+)$/i,
    ([target], sentence) => onElement(target, sentence, (of) => ({ kind: 'tap', ...of })),
  ],
  [/^press key ([^\s"]+)$/i, ([key = '']) => interact({ kind: 'press', key })],
  [/^type variable (\S+) into (.+)$/i, typeVariableInto],
  [/^type (password )?(\S+) into (.+)$/i, typeInto],
  [/^select (\S+) in (.+)$/i, selectIn],
  [
    /^(check|uncheck) (.+)$/i,
    ([verb, target], sentence) =>
      onField(target, sentence, (field) => ({
        kind: 'check',
        ...field,
        checked: verb?.toLowerCase() === 'check',
      })),
  ],
  [/^wait for (.+)$/i, waitFor],
  [
    /^wait (\d+(?:\.\d+)?) seconds?$/i,
    ([seconds]) => ({
      kind: 'wait',
      condition: { kind: 'delay', ms: Math.round(Number(seconds) * 1000) },
    }),
  ],
  [
    /^scroll (up|down)(?: (\d+))?$/i,
    ([direction, amount]) => ({
      kind: 'scroll',
      direction: direction?.toLowerCase() === 'up' ? 'up' : 'down',
      ...(amount !== undefined && { amount: Number(amount) }),
    }),
  ],
  [/^take (?:a )?screenshot$/i, captureOf('screenshot')],
  [/^save (?:the )?page$/i, captureOf('dom_snapshot')],
  [/^save (?:a |the )?pdf$/i, captureOf('pdf')],
];

/**
 * Parses a small language completely, or reports where it fails; then no part of the message may be executed. The parts that it
 * returns contain no secrets.
 */
export const grammar: Grammar = (message) => {
  const sentences = sentencesOf(message);
  const intents: Intent[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const intent = read(sentence);
    if (!isIntent(intent)) return stuckAt(index, sentences);
    intents.push(intent);
  }
  return intents.length > 0 ? { covers: true, intents } : stuckAt(0, sentences);
};

function read(sentence: Sentence): Intent | undefined {
  for (const [form, reading] of forms) {
    const captured = form.exec(sentence.shape)?.slice(1);
    const intent = captured && reading(captured, sentence);
    if (intent) return intent;
  }
  return undefined;
}

const stuckAt = (index: number, sentences: readonly Sentence[]) => {
  const texts = sentences.map(({ text }) => withoutTypedSecrets(text));
  return { covers: false, understood: texts.slice(0, index), rest: texts.slice(index).join('\n') } as const;
};

type Action = Extract<Intent, { kind: 'interact' }>['action'];
const interact = (action: Action): Intent => ({ kind: 'interact', action });

/** The intent that opens a URL. Whether it may be opened is decided where all addresses are checked. */
const navigateTo = (url: string): Intent | undefined =>
  /^[a-z][a-z0-9+.-]*:\S+$/i.test(url) ? { kind: 'navigate', url } : undefined;

/** The text of a part that consists of one quoted text. */
function textOf(part: string | undefined, quoted: readonly string[]): string | undefined {
  const index = part === undefined ? undefined : /^"(\d+)"$/.exec(part)?.[1];
  const text = index === undefined ? undefined : quoted[Number(index)];
  return text === undefined ? undefined : unquoted(text);
}

/** CSS after the word `selector`, as written. */
function selectorOf(part: string | undefined, quoted: readonly string[]): Target | undefined {
  const css = part === undefined ? undefined : /^selector (.+)$/i.exec(part)?.[1];
  return css === undefined
    ? undefined
    : { selector: css.replace(/"(\d+)"/g, (_, index) => quoted[Number(index)] ?? '') };
}

type Named<Name extends string> = (
  of: Pick<Target, 'selector' | 'role' | 'name'> & Partial<Record<Name, string>>,
) => Action;

/** An element by its text, or by role and name. */
function onElement(
  part: string | undefined,
  { quoted }: Sentence,
  action: Named<'text'>,
): Intent | undefined {
  const text = textOf(part, quoted);
  const [, role, named] =
    /^(?:the )?(button|link|tab|checkbox|radio|menuitem) (\S+)$/i.exec(part ?? '') ?? [];
  const name = textOf(named, quoted);
  const target =
    text !== undefined
      ? { text }
      : role !== undefined && name !== undefined
        ? { role: role.toLowerCase(), name }
        : selectorOf(part, quoted);
  return target && interact(action(target));
}

/** A field by its label. */
function onField(part: string | undefined, { quoted }: Sentence, action: Named<'label'>): Intent | undefined {
  const label = textOf(part, quoted);
  const target = label === undefined ? selectorOf(part, quoted) : { label };
  return target && interact(action(target));
}

function typeInto(
  [password, typed, target]: readonly (string | undefined)[],
  sentence: Sentence,
): Intent | undefined {
  const text = textOf(typed, sentence.quoted);
  if (text === undefined) return undefined;
  return onField(target, sentence, (field) => {
    const isSecret = password !== undefined || namesSecret(field.label ?? field.selector ?? '');
    return { kind: 'type', ...field, text, ...(isSecret && { sensitive: true }) };
  });
}

function typeVariableInto(
  [name, target]: readonly (string | undefined)[],
  sentence: Sentence,
): Intent | undefined {
  const variable = textOf(name, sentence.quoted);
  return variable === undefined
    ? undefined
    : onField(target, sentence, (field) => ({ kind: 'type', ...field, variable }));
}

function selectIn([option, target]: readonly (string | undefined)[], sentence: Sentence): Intent | undefined {
  const value = textOf(option, sentence.quoted);
  if (value === undefined) return undefined;
  return onField(target, sentence, (field) => ({ kind: 'select', ...field, values: [value] }));
}

function waitFor([part]: readonly (string | undefined)[], { quoted }: Sentence): Intent | undefined {
  const text = textOf(part, quoted);
  if (text !== undefined) return { kind: 'wait', condition: { kind: 'text', text } };
  const target = selectorOf(part, quoted);
  return target && { kind: 'wait', condition: { kind: 'selector', ...target } };
}
