/**
 * `service/audit`: checks what the service says of the past without trusting it. Plain JavaScript without dependencies, for Node,
 * Deno and browsers; its types are in `verify.d.mts`.
 */

/** What the first entry of an account names as its predecessor. */
const genesis = '0'.repeat(64);

/**
 * Checks the chain of an export: every entry's hash is that of its contents, and each follows the one before it, from the first on.
 * `entries` are the objects of the JSON lines in their order, from any iterable; of several pages, one behind the other.
 *
 * Resolves to `{ ok: true, count, head }`, `head` being the last entry's hash, or to the first entry that does not hold:
 * `{ ok: false, sequence, reason }`, `sequence` being the place in the chain that it should fill. Rejects with a `TypeError` when
 * something in `entries` is no object.
 */
export async function verifyExport(entries) {
  let count = 0;
  let head = genesis;
  for await (const entry of entries) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw new TypeError(`Entry ${count + 1} is no object.`);
    const reason = await flawOf(entry, count + 1, head);
    if (reason !== undefined) return { ok: false, sequence: count + 1, reason };
    count += 1;
    head = entry.hash;
  }
  return { ok: true, count, head };
}

/** Why an entry does not hold as the one with this sequence after this hash; undefined when it does. */
async function flawOf({ hash, ...contents }, sequence, previous) {
  if ((await sha256(canonicalJson(contents))) !== hash) return 'Its hash is not that of its contents.';
  if (contents.sequence !== sequence) return `In its place is entry ${contents.sequence}.`;
  if (contents.prev_hash !== previous) return 'It does not follow the entry before it.';
  return undefined;
}

async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** RFC 8785: keys of objects in the order of their UTF-16 code units, no white space. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${fields.join(',')}}`;
}
