import { useSignal } from '@preact/signals';
import {
  verifyAnchor,
  verifyCheckpoint,
  verifyExport,
  type Checkpoint,
  type Head,
} from '../../../../contracts/audit/verify.mjs';
import { ServiceError, auditLog } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { exported } from './export.ts';
import { words } from './strings.ts';

const service = auditLog(connection);

/** The result, line by line. */
interface Verdict {
  readonly holds: boolean;
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
          {verdicts.value.map(({ holds, says }) => (
            <li key={says}>
              <span class={`status ${holds ? 'good' : 'bad'}`}>{says}</span>
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
  if (flaw !== undefined) yield { holds: false, says: flaw };
  const anchor = await anchorIn(head?.size ?? Infinity);
  const heads: readonly Head[] = [...(head ? [head] : []), ...(anchor ? [anchor.leaf] : [])];
  const chain = await verifyExport(entries(onCount), heads);
  if (!chain.ok) {
    yield { holds: false, says: filled(words.broken, { sequence: chain.sequence, reason: chain.reason }) };
    return;
  }
  yield { holds: true, says: filled(words.holds, { count: chain.count }) };
  if (head) yield { holds: true, says: filled(words.signed, { count: head.size, origin: head.origin }) };
  if (anchor === undefined) {
    yield { holds: true, says: words.noAnchor };
    return;
  }
  const verdict = verifyAnchor(anchor, vkeys);
  yield verdict.ok
    ? { holds: true, says: filled(words.anchored, { count: anchor.leaf.size, size: anchor.size }) }
    : { holds: false, says: filled(words.notAnchored, { reason: verdict.reason }) };
}

/** The signed head, or what is wrong with it: the entries can be checked without one. */
type SignedHead =
  | { readonly head: Checkpoint; readonly flaw?: undefined }
  | { readonly head?: undefined; readonly flaw: string };

async function signedHead(vkeys: readonly string[]): Promise<SignedHead> {
  const read = await unlessAbsent(service.checkpoint());
  if ('absent' in read) return { flaw: filled(words.noHead, { reason: read.absent }) };
  try {
    return { head: verifyCheckpoint(read.checkpoint, vkeys) };
  } catch (error) {
    return { flaw: filled(words.notSigned, { reason: (error as Error).message }) };
  }
}

/** Undefined before the first anchoring, and while the anchored head is newer than the signed head that was read. */
async function anchorIn(size: number) {
  const anchor = await unlessAbsent(service.anchor());
  return 'absent' in anchor || anchor.leaf.size > size ? undefined : anchor;
}

/** The result of the read or, if the service does not have it, the reason. */
async function unlessAbsent<T extends object>(
  read: PromiseLike<T>,
): Promise<T | { readonly absent: string }> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 503))
      return { absent: error.detail };
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
