import type { ExtractSchema } from '../../../contracts/client/index.ts';
import { ToolError } from '../advice.ts';
import { defineTool, hints, schemas } from '../tool.ts';
import { firstThatFit, tokensOf } from '../tokens.ts';
import { notice, oneLine } from '../words.ts';

const { described, session, string, object, boolean, count } = schemas;

interface Extracting {
  readonly session: string;
  readonly schema: ExtractSchema;
  readonly selector?: string;
  readonly from?: number;
}

/** Maximum tokens of data, which an answer has twice: as a line and as data. */
const most = 2700;

export const extract = defineTool<Extracting>({
  name: 'extract',
  title: 'Extract data',
  description:
    'Extracts data from the page by a JSON Schema: x-selector is the CSS selector of a property, x-attribute the attribute to read. Long lists come in parts.',
  hints: hints.reads,
  takes: {
    'session!': session,
    'schema!': object,
    selector: described('Only within this element'),
    from: described('Index of the first item of the list', count),
  },
  gives: { session: string, data: {}, matched: boolean, next: count, untrusted: string },
  run: async ({ service, signal, largeRead }, { session: id, schema, selector, from = 0 }) => {
    const body = { schema: { ...schema }, ...(selector !== undefined && { selector }) };
    await largeRead?.begin(signal);
    const { data, matched, detail } = await service.sessions.extract(id, body, { signal });
    const part = partOf(data, from);
    return {
      lines: [matched ? 'Found:' : 'Nothing matched:'],
      words: [
        oneLine(JSON.stringify(part.data), most * 4),
        ...(detail === undefined ? [] : [oneLine(detail)]),
      ],
      more: part.next === undefined ? [] : [`${part.left} items are left: extract with from: ${part.next}.`],
      structured: {
        ...{ session: id, data: part.data, matched, untrusted: notice },
        ...(part.next !== undefined && { next: part.next }),
      },
    };
  },
});

interface Part {
  readonly data: unknown;
  readonly next?: number;
  readonly left?: number;
}

/** As much as fits into an answer: of a list, or of an object's only list, the items from an index on. */
function partOf(data: unknown, from: number): Part {
  const list = listIn(data);
  if (list === undefined || (from === 0 && costOf(data) <= most)) {
    if (costOf(data) <= most) return { data };
    throw new ToolError(
      'There is more than an answer takes.',
      'Extract fewer properties, or only within a selector.',
    );
  }
  const rest = list.items.slice(from);
  const shown = firstThatFit(rest, most - 100, costOf);
  if (shown.length === 0 && rest.length > 0)
    throw new ToolError(`Item ${from} alone is more than an answer takes.`, 'Extract fewer properties.');
  const left = rest.length - shown.length;
  return { data: list.withItems(shown), ...(left > 0 && { next: from + shown.length, left }) };
}

const costOf = (value: unknown): number => tokensOf(JSON.stringify(value ?? null)) + 1;

function listIn(data: unknown) {
  if (Array.isArray(data)) return { items: data as readonly unknown[], withItems: (items: unknown) => items };
  if (typeof data !== 'object' || data === null) return undefined;
  const lists = Object.entries(data).filter(([, value]) => Array.isArray(value));
  const [[name, items] = []] = lists;
  if (name === undefined || lists.length > 1) return undefined;
  return {
    items: items as readonly unknown[],
    withItems: (some: unknown) => ({ ...data, [name]: some }),
  };
}
