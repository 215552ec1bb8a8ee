import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import type { Best } from './message.ts';

/** What it says by the tool. */
export type Said =
  | {
      readonly decision: 'plan';
      readonly intents: readonly Intent[];
      readonly after: 'look';
      readonly note: string;
    }
  | { readonly decision: 'answer'; readonly answer: string }
  | { readonly decision: 'clarify'; readonly question: string }
  | { readonly decision: 'refuse'; readonly reason: string };

/** What a page says of one of several: its name, the line, and how much. */
export type Row = readonly [name: string, line: string, much: string];

/** What it keeps from round to round, in its note. */
export interface Memory {
  /** The goal that it is at. */
  readonly at: number;
  /** Names that it has followed on the way to this goal. */
  readonly seen: readonly string[];
  /** Forms that it has sent. */
  readonly sent: readonly string[];
  /** The best of what it compares. */
  readonly best?: Row;
  /** What a page was to show. */
  readonly got?: string;
  /** Whether the page is of the one of several that is meant. */
  readonly isFound?: boolean;
}

export const memoryOf = (note: string): Memory =>
  note === '' ? { at: 0, seen: [], sent: [] } : (JSON.parse(note) as Memory);

/** A note has at most 600 characters. */
export const look = (intents: readonly Intent[], memory: Memory): Said => ({
  decision: 'plan',
  intents,
  after: 'look',
  note: JSON.stringify({ ...memory, seen: memory.seen.slice(-5), sent: memory.sent.slice(-4) }),
});
export const say = (answer: string): Said => ({ decision: 'answer', answer });
export const cannot = (why: string): Said => ({ decision: 'refuse', reason: `It cannot be done: ${why}.` });

export function better(
  best: Best | undefined,
  one: Row | undefined,
  other: Row | undefined,
): Row | undefined {
  if (!one || !other || !best) return one ?? other;
  const isMore = one[2].localeCompare(other[2], 'en', { numeric: true }) > 0;
  return isMore === best.isMost ? one : other;
}
