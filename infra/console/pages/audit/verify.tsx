import { useSignal } from '@preact/signals';
import {
  verifyAnchor,
  verifyCheckpoint,
  verifyExport,
  type Checkpoint,
  type Head,
} from '../../../../contracts/audit/verify.mjs';
import { ServiceError, auditLog, type Anchor } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Status, type Tone } from '../../parts/record.tsx';
import { me } from '../../parts/signed-in.tsx';
import { connection, owner } from '../../service.ts';
import { filled } from '../../strings.ts';
import { exported } from './export.ts';
import { words } from './strings.ts';

const service = auditLog(connection);

/** The result, line by line. */
interface Verdict {
  /** `good` and `bad` are of a check; `over` is of one that was not made. */
  readonly tone: Extract<Tone, 'good' | 'bad' | 'over'>;
  readonly says: string;
}

/** Verifies in the browser the hash chain, the signed head, and the account's inclusion in the public tree. */
export function Verify() {
  const verdicts = useSignal<readonly Verdict[]>([]);
  const progress = useSignal('');
  const verify = async () => {
    verdicts.value = [];
    const add = (verdict: Verdict) => (verdicts.value = [...verdicts.value, verdict]);
    for await (const verdict of found((count) => (progress.value = filled(words.checked, { count }))))
      add(verdict);
    progress.value = '';
  };
  return (
    <section class="verify">
      <p class="hint">{words.verifyText}</p>
      <Act label={words.verify} kind="main" act={verify} />
      <div role="status">
        {progress.value !== '' && <p>{progress.value}</p>}
        <ul>
          {verdicts.value.map(({ tone, says }) => (
            <li key={says}>
              <Status tone={tone} word={says} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

async function* found(onCount: (count: number) => void): AsyncGenerator<Verdict, void, undefined> {
  const { keys } = await service.keys();
  const vkeys = keys.map(({ vkey }) => vkey);
  const { head, flaw } = await signedHead(vkeys);
  if (flaw !== undefined) yield { tone: 'bad', says: flaw };
  const { anchor, without } = await anchorIn(head?.size ?? Infinity);
  const heads: readonly Head[] = [...(head ? [head] : []), ...(anchor ? [anchor.leaf] : [])];
  const chain = await verifyExport(entries(onCount), heads);
  if (!chain.ok) {
    yield { tone: 'bad', says: filled(words.broken, { sequence: chain.sequence, reason: chain.reason }) };
    return;
  }
  yield { tone: 'good', says: filled(words.holds, { count: chain.count }) };
  if (head) yield { tone: 'good', says: filled(words.signed, { count: head.size, origin: head.origin }) };
  yield anchor === undefined ? without : verdictOn(anchor, vkeys);
}

function verdictOn(anchor: Anchor, vkeys: readonly string[]): Verdict {
  const verdict = verifyAnchor(anchor, vkeys, me.value?.id);
  return verdict.ok
    ? { tone: 'good', says: filled(words.anchored, { count: anchor.leaf.size, size: anchor.size }) }
    : { tone: 'bad', says: filled(words.notAnchored, { reason: verdict.reason }) };
}

/** The signed head, or what is wrong with it: the entries can be checked without one. */
type SignedHead =
  | { readonly head: Checkpoint; readonly flaw?: undefined }
  | { readonly head?: undefined; readonly flaw: string };

async function signedHead(vkeys: readonly string[]): Promise<SignedHead> {
  const read = await unlessAbsent(service.checkpoint());
  if ('absent' in read) return { flaw: filled(words.noHead, { reason: read.absent.detail }) };
  try {
    return { head: verifyCheckpoint(read.checkpoint, vkeys) };
  } catch (error) {
    return { flaw: filled(words.notSigned, { reason: (error as Error).message }) };
  }
}

/** The account's place in the public tree, or why there is none to check. */
type Anchored =
  | { readonly anchor: Anchor; readonly without?: undefined }
  | { readonly anchor?: undefined; readonly without: Verdict };

const notYet: Anchored = { without: { tone: 'over', says: words.noAnchor } };

/**
 * Not read for somebody who acts for an owner: it would be that of their own account. None before the first anchoring, and while the
 * anchored head is newer than the signed head that was read.
 */
async function anchorIn(size: number): Promise<Anchored> {
  if (owner !== undefined) return { without: { tone: 'over', says: words.anchorOfOwner } };
  const read = await unlessAbsent(service.anchor());
  if (!('absent' in read)) return read.leaf.size > size ? notYet : { anchor: read };
  if (read.absent.status === 404) return notYet;
  return { without: { tone: 'bad', says: filled(words.unreadTree, { reason: read.absent.detail }) } };
}

/** The result of the read, or the answer that the service does not have it (404) or cannot give it now (503). */
async function unlessAbsent<T extends object>(
  read: PromiseLike<T>,
): Promise<T | { readonly absent: ServiceError }> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 503))
      return { absent: error };
    throw error;
  }
}

/** All entries from the first, as exported. */
async function* entries(onCount: (count: number) => void): AsyncGenerator<unknown, void, undefined> {
  let count = 0;
  for await (const text of exported({ format: 'jsonl' })) {
    const lines = text.split('\n').filter((line) => line !== '');
    for (const line of lines) yield JSON.parse(line);
    count += lines.length;
    onCount(count);
  }
}
