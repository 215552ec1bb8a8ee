import { writingKeys } from '../../../../contracts/keys.ts';
import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import type { Observation } from '../../../../contracts/resources/observation.ts';

type Action = Extract<Intent, { kind: 'interact' }>['action'];

/** The data that an intent sends to a site. */
export type Sent =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The unknown content of the clipboard. */
  | { readonly kind: 'clipboard' }
  /** The name of a pressed element, which the site itself has chosen. */
  | { readonly kind: 'press'; readonly text: string };

/** Null if it sends no data. */
export function sentBy(intent: Intent, page: Observation | null): Sent | null {
  if (intent.kind === 'navigate') return { kind: 'address', address: intent.url };
  return intent.kind === 'interact' ? sentByAction(intent.action, page) : null;
}

const pressing: readonly Action['kind'][] = ['tap', 'double_tap', 'long_press'];

function sentByAction(action: Action, page: Observation | null): Sent | null {
  if (action.kind === 'type') return 'text' in action ? asSent(action.text) : null;
  if (action.kind === 'press') return sentByKey(action);
  if (action.kind === 'select') return asSent((action.values ?? []).join('\n'));
  if (action.kind === 'upload')
    return asSent([action.handle ?? '', ...(action.files ?? []).flatMap(wordsOfFile)].join('\n'));
  return pressing.includes(action.kind) ? { kind: 'press', text: shownName(action, page) } : null;
}

const asSent = (text: string): Sent | null => (text === '' ? null : { kind: 'text', text });

type Press = Extract<Action, { kind: 'press' }>;

function sentByKey({ key, modifiers = [] }: Press): Sent | null {
  const [character] = writingKeys.get(key) ?? [/^Numpad(\d)$/.exec(key)?.[1] ?? key];
  const isCommand = modifiers.includes('cmd') || modifiers.includes('ctrl');
  const pastes = isCommand ? /^v$/i.test(character) : key === 'Insert' && modifiers.includes('shift');
  if (pastes || key === 'Paste') return { kind: 'clipboard' };
  return !isCommand && Array.from(character).length === 1 ? asSent(character) : null;
}

/** Stands for binary content, which is never among the words of the user or a site. */
const noText = '0opaque0';

function wordsOfFile({
  name,
  data_base64,
}: {
  readonly name: string;
  readonly data_base64: string;
}): readonly string[] {
  const content = Buffer.from(data_base64, 'base64').toString('utf8');
  return [name, /^[\P{C}\s]*$/u.test(content) && !content.includes('\ufffd') ? content : noText];
}

type Named = Partial<Record<'ref' | 'name' | 'text' | 'label' | 'placeholder', string | undefined>>;

function shownName(target: object, page: Observation | null): string {
  const { ref, name, text, label, placeholder }: Named = target;
  const seen = ref === undefined ? undefined : page?.elements.find((element) => element.ref === ref)?.name;
  return seen ?? name ?? text ?? label ?? placeholder ?? '';
}
