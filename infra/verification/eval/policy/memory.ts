import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import type { Best } from './message.ts';

/** The policy's tool call. */
export type PolicyCall =
  | {
      readonly decision: 'plan';
      readonly intents: readonly Intent[];
      readonly after: 'look';
      readonly note: string;
    }
  | { readonly decision: 'answer'; readonly answer: string }
  | { readonly decision: 'clarify'; readonly question: string }
  | { readonly decision: 'refuse'; readonly reason: string };

/** One of several compared items: its name, its line on the page, and the compared value. */
export type Row = readonly [name: string, line: string, much: string];

/** State between rounds, kept in the note. */
export interface Memory {
  /** Index of the current goal. */
  readonly at: number;
  /** Names of links followed for this goal. */
  readonly seen: readonly string[];
  /** Forms already sent. */
  readonly sent: readonly string[];
  /** The best row so far of a comparison. */
  readonly best?: Row;
  /** The value that was read from a page for a later field. */
  readonly got?: string;
  /** True if the page is that of the item with the goal's `only` text. */
  readonly isFound?: boolean;
}

export const memoryOf = (note: string): Memory =>
  note === '' ? { at: 0, seen: [], sent: [] } : (JSON.parse(note) as Memory);

/** Shortens the memory: a note has at most 600 characters. */
export const look = (intents: readonly Intent[], memory: Memory): PolicyCall => ({
  decision: 'plan',
  intents,
  after: 'look',
  note: JSON.stringify({ ...memory, seen: memory.seen.slice(-5), sent: memory.sent.slice(-4) }),
});
export const say = (answer: string): PolicyCall => ({ decision: 'answer', answer });
export const cannot = (why: string): PolicyCall => ({
  decision: 'refuse',
  reason: `It cannot be done: ${why}.`,
});

export function better(
  best: Best | undefined,
  one: Row | undefined,
  other: Row | undefined,
): Row | undefined {
  if (!one || !other || !best) return one ?? other;
  const isMore = one[2].localeCompare(other[2], 'en', { numeric: true }) > 0;
  return isMore === best.isMost ? one : other;
}
