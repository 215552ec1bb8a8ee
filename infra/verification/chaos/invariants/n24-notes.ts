import { createHash } from 'node:crypto';
import { readCheckpoint, type Checkpoint } from '../../../../contracts/audit/verify.mjs';
import { field, grouped, type Evidence } from '../evidence/index.ts';
import { answered, type Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

/** A published signed note. */
interface Note extends Checkpoint {
  /** Its text without the signatures. */
  readonly text: string;
  /** The account of its audit log; null for the public tree. */
  readonly account: string | null;
  readonly request?: string;
}

export const notesAgree: Invariant = {
  id: 'N24',
  holds: 'No two signed notes of one size differ, and each is of a tree that the present one begins with.',
  judged:
    'the notes that clients were answered and those in the log, against trees made by hand of the raw audit table and of the raw public tree',
  violations: (evidence) => {
    const notes = [...answeredNotes(evidence), ...recordedNotes(evidence)];
    const rootsOf = treesIn(evidence);
    return [...grouped(notes, ({ origin, size }) => `${origin} ${size}`).values()].flatMap(
      (same) => differing(same) ?? other(same, rootsOf),
    );
  },
};

const noteOf = (note: string, from: Pick<Note, 'account' | 'request'>): Note => ({
  ...readCheckpoint(note),
  ...from,
  text: note.slice(0, note.indexOf('\n\n')),
});

const answeredNotes = ({ history }: Evidence): Note[] =>
  history.flatMap((exchange) => {
    if (exchange.answer.kind !== 'done') return [];
    const note = noteIn[exchange.action]?.(exchange);
    return note === undefined ? [] : [noteOf(note.text, { account: note.account, request: exchange.id })];
  });

/** Notes in answers, by the action that requested them. */
const noteIn: Readonly<
  Record<string, (exchange: Exchange) => { readonly text: string; readonly account: string | null }>
> = {
  'ask-for-head': (exchange) => ({
    text: String(answered(exchange, 'checkpoint')),
    account: exchange.account,
  }),
  'read-public-head': ({ answer }) => ({ text: answer.text ?? '', account: null }),
};

const recordedNotes = ({ log }: Evidence): Note[] =>
  log.flatMap((event) => {
    if (event.type === 'AuditHeadSigned')
      return [noteOf(field(event, 'note'), { account: field(event, 'accountId') })];
    return event.type === 'PublicHeadSigned' ? [noteOf(field(event, 'note'), { account: null })] : [];
  });

function differing(same: readonly Note[]): Violation[] | undefined {
  const [first] = same;
  const odd = same.find(({ text }) => text !== first?.text);
  if (first === undefined || odd === undefined) return undefined;
  const what = `two notes of ${first.origin} of ${first.size} leaves say ${first.text} and ${odd.text}`;
  return [{ what, requests: requestsOf([first, odd]) }];
}

function other(same: readonly Note[], rootOf: (note: Note) => string | undefined): Violation[] {
  const [note] = same;
  if (note === undefined || rootOf(note) === note.root) return [];
  const what = `a note of ${note.origin} is not of the first ${note.size} leaves that are there`;
  return [{ what, requests: requestsOf(same) }];
}

const requestsOf = (notes: readonly Note[]): string[] => notes.flatMap(({ request }) => request ?? []);

/** Root (base64) of as many leaves as the note's tree has; undefined if there are fewer. */
function treesIn({ tables, log }: Evidence) {
  const entries = grouped(tables.auditLog, (row) => String(row.account_id));
  const leavesOf = (account: string): Buffer[] =>
    [...(entries.get(account) ?? [])]
      .sort((one, next) => Number(one.sequence) - Number(next.sequence))
      .map((row) => Buffer.from(String(row.hash), 'hex'));
  const publicLeaves = log
    .filter(({ type }) => type === 'HeadsAnchored')
    .flatMap(({ data }) => data.leaves as readonly Record<'pseudonym' | 'size' | 'root', string>[])
    .map(({ pseudonym, size, root }) => Buffer.from(`${pseudonym}\n${size}\n${root}\n`));
  const trees = new Map<string | null, Tree>();
  return ({ account, size }: Note): string | undefined => {
    const tree = trees.get(account) ?? new Tree(account === null ? publicLeaves : leavesOf(account));
    trees.set(account, tree);
    return tree.rootOf(size);
  };
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 6962, section 2.1, transcribed literally; complete subtrees are kept, since a long run has thousands of notes of a tree. */
class Tree {
  readonly #leaves: readonly Buffer[];
  readonly #kept = new Map<string, Buffer>();

  constructor(leaves: readonly Buffer[]) {
    this.#leaves = leaves;
  }

  /** Root (base64) of as many leaves; undefined if there are fewer. */
  rootOf(size: number): string | undefined {
    return size > this.#leaves.length ? undefined : this.#hashOf(0, size).toString('base64');
  }

  /** Of the leaves from one number to before another. */
  #hashOf(from: number, to: number): Buffer {
    const count = to - from;
    const key = `${from} ${to}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const hash = this.#computed(from, to);
    if (Number.isInteger(Math.log2(count))) this.#kept.set(key, hash);
    return hash;
  }

  #computed(from: number, to: number): Buffer {
    const [count, leaf] = [to - from, this.#leaves[from]];
    if (count === 0 || leaf === undefined) return sha256();
    if (count === 1) return sha256(Buffer.of(0), leaf);
    const half = 2 ** (31 - Math.clz32(count - 1));
    return sha256(Buffer.of(1), this.#hashOf(from, from + half), this.#hashOf(from + half, to));
  }
}
