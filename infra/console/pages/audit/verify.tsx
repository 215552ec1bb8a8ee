import { useSignal } from '@preact/signals';
import {
  verifyAnchor,
  verifyCheckpoint,
  verifyExport,
  type Head,
} from '../../../../contracts/audit/verify.mjs';
import { ServiceError, auditLog } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
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
  const { checkpoint } = await service.checkpoint();
  const signed = verifyCheckpoint(checkpoint, vkeys);
  const anchor = await anchorIn(signed.size);
  const heads: readonly Head[] = [signed, ...(anchor ? [anchor.leaf] : [])];
  const chain = await verifyExport(entries(onCount), heads);
  if (!chain.ok) {
    yield { holds: false, says: filled(words.broken, { sequence: chain.sequence, reason: chain.reason }) };
    return;
  }
  yield { holds: true, says: filled(words.holds, { count: chain.count }) };
  yield { holds: true, says: filled(words.signed, { count: signed.size, origin: signed.origin }) };
  if (anchor === undefined) {
    yield { holds: true, says: words.noAnchor };
    return;
  }
  const verdict = verifyAnchor(anchor, vkeys);
  yield verdict.ok
    ? { holds: true, says: filled(words.anchored, { count: anchor.leaf.size, size: anchor.size }) }
    : { holds: false, says: filled(words.notAnchored, { reason: verdict.reason }) };
}

/** Undefined before the first anchoring, and while the anchored head is newer than the signed head that was read. */
async function anchorIn(size: number) {
  try {
    const anchor = await service.anchor();
    return anchor.leaf.size <= size ? anchor : undefined;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 503)) return undefined;
    throw error;
  }
}

/** All entries from the first, as exported. */
async function* entries(onCount: (count: number) => void): AsyncGenerator<unknown, void, undefined> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = service.export({ format: 'jsonl', ...(cursor === undefined ? {} : { cursor }) });
    const { data, response } = await page.withResponse();
    for (const line of data.split('\n')) {
      if (line === '') continue;
      yield JSON.parse(line);
      count += 1;
    }
    onCount(count);
    const { headers } = response;
    cursor = headers.get('x-has-more') === 'true' ? (headers.get('x-next-cursor') ?? undefined) : undefined;
  } while (cursor !== undefined);
}
