import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';

export interface PromptElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly states: readonly string[];
}

/** Exactly what a model's prompt contains. */
export interface ModelPrompt {
  readonly message: string;
  /** Null if no page is open. */
  readonly page: PromptPage | null;
  /** The note of the previous round; empty in the first. */
  readonly note: string;
}

export interface PromptPage {
  readonly url: string;
  readonly title: string;
  readonly isAtEnd: boolean;
  readonly elements: readonly PromptElement[];
  readonly headings: readonly string[];
  readonly lines: readonly string[];
}

export function parsePrompt({ messages }: MessageCreateParams): ModelPrompt {
  const texts = messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
  const known = texts.slice(0, -1).join('\n');
  const page = fenced(known, 'page');
  return {
    message: texts.at(-1) ?? '',
    page: page === undefined ? null : pageOf(page.split('\n').map((line) => line.replace(/^\+ /, ''))),
    note: fenced(known, 'note') ?? '',
  };
}

/** The last text between markers of this name. */
const fenced = (text: string, name: string): string | undefined =>
  [...text.matchAll(new RegExp(`<<${name} (\\w+)>>\\n([^]*?)\\n<<end \\1>>`, 'g'))].at(-1)?.[2];

function pageOf(lines: readonly string[]): PromptPage {
  const after = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '';
  const section = (name: string) => {
    const from = lines.indexOf(`${name}:`);
    return from < 0 ? [] : lines.slice(from + 1);
  };
  const headings = section('headings');
  const [, y = '0', height = '0', view = '0'] = /(\d+) of (\d+), (\d+)/.exec(after('scrolled: ')) ?? [];
  return {
    url: after('address: '),
    title: after('title: '),
    isAtEnd: Number(y) + Number(view) >= Number(height) - 2,
    elements: lines.flatMap(elementOf),
    headings: headings.slice(0, Math.max(0, headings.indexOf('text:'))),
    lines: section('text'),
  };
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const elementLine = new RegExp(String.raw`^\[(e\d+)\] (\S+) (${quoted})(?: = (${quoted}))?(?: \(([^)]*)\))?`);

function elementOf(line: string): readonly PromptElement[] {
  const [, ref, role, name, value, states = ''] = elementLine.exec(line) ?? [];
  if (ref === undefined || role === undefined || name === undefined) return [];
  const textOf = (json: string) => String(JSON.parse(json));
  const held = value === undefined ? undefined : textOf(value);
  return [{ ref, role, name: textOf(name), value: held, states: states.split(', ').filter(Boolean) }];
}
