import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import { interact } from '../task.ts';
import type { Memory } from './memory.ts';
import type { Fact, ReadMessage } from './message.ts';
import type { Sight } from './sight.ts';
import type { PromptElement } from './prompt.ts';
import { shared, within, wordsOf } from './words.ts';

/** An intent that fills a field, and its name in `Memory.sent`. */
interface Entry {
  readonly intent: Intent;
  readonly what: string;
}

const fields = ['textbox', 'searchbox', 'combobox', 'spinbutton'];

/** Intents for the fields of a page whose values are in the message and not yet entered. */
export const entriesFor = (sight: Sight, message: ReadMessage, memory: Memory): readonly Entry[] =>
  sight.elements.flatMap((element) => {
    if (element.role === 'checkbox' || element.role === 'radio') return boxOf(element, message);
    const fact = factFor(element, message.facts);
    const text = fact && valueOf(fact, sight, memory);
    return fact === undefined || text === undefined ? [] : entryOf(element, fact, text);
  });

function boxOf({ ref, name, states }: PromptElement, { words, without }: ReadMessage): readonly Entry[] {
  const isChecked = states.includes('checked');
  const checked = shared(wordsOf(name), without) > 0 ? false : within(wordsOf(name), words) || isChecked;
  return checked === isChecked ? [] : [{ intent: interact({ kind: 'check', ref, checked }), what: name }];
}

function factFor({ role, name }: PromptElement, facts: readonly Fact[]): Fact | undefined {
  if (role === 'file') return facts.find(({ content }) => content !== undefined);
  if (!fields.includes(role)) return undefined;
  const label = wordsOf(name);
  const fits = facts.filter((fact) => fact.content === undefined && within(fact.label, label));
  return fits.find((fact) => within(label, fact.label)) ?? fits[0];
}

/** The alternative value if the page says that the first is taken. */
function valueOf(
  { value, or, isShown }: Fact,
  { complaint = '' }: Sight,
  { got }: Memory,
): string | undefined {
  if (isShown) return got;
  return or !== undefined && /taken/i.test(complaint) ? or : value;
}

function entryOf(
  { ref, role, name, value, states }: PromptElement,
  fact: Fact,
  text: string,
): readonly Entry[] {
  if (value === text || states.includes('filled')) return [];
  const { content, isSecret } = fact;
  const what = `${name} ${isSecret ? '' : text.slice(0, 12)}`;
  if (content !== undefined) {
    const files = [{ name: text, mime: 'text/plain', data_base64: Buffer.from(content).toString('base64') }];
    return [{ intent: interact({ kind: 'upload', ref, files }), what }];
  }
  if (role === 'combobox') return [{ intent: interact({ kind: 'select', ref, values: [text] }), what }];
  const secret = isSecret && { sensitive: true };
  return [{ intent: interact({ kind: 'type', ref, text, clear: true, ...secret }), what }];
}
