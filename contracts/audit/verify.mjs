/**
 * `service/audit`: checks what the service says of the past without trusting it. Without dependencies, for Node, Deno and
 * browsers. Hashes, roots and proofs are base64 of 32 bytes.
 *
 * Trees are those of RFC 6962, notes and keys those of c2sp.org/signed-note, checkpoints those of c2sp.org/tlog-checkpoint.
 * Whatever is malformed throws a `TypeError`.
 */

/** The `prev_hash` of an account's first entry. */
const genesis = '0'.repeat(64);

/**
 * Checks the chain of an export: every entry's hash matches its contents, and each follows the previous entry, from the first on.
 * `entries` are the objects of the JSON lines in their order, from any iterable. For each of `heads`, `{ size, root }`, the first
 * `size` entries must have the root.
 *
 * Resolves to `{ ok: true, count, head }`, or to the first entry that is not valid: `{ ok: false, sequence, reason }`.
 */
export async function verifyExport(entries, heads = []) {
  const signed = new Map();
  for (const { size, root } of heads) {
    natural(size, 'size');
    hash32(root, 'root');
    signed.set(size, [...(signed.get(size) ?? []), root]);
  }
  const frontier = [];
  let count = 0;
  let head = genesis;
  for await (const entry of entries) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw new TypeError(`Entry ${count + 1} is not an object.`);
    const reason = flawOf(entry, count + 1, head);
    if (reason !== undefined) return { ok: false, sequence: count + 1, reason };
    count += 1;
    head = entry.hash;
    if (signed.size === 0) continue;
    grow(frontier, leafHash(bytesOfHex(head)));
    if (signed.get(count)?.some((root) => root !== toBase64(rootOf(frontier))))
      return {
        ok: false,
        sequence: count,
        reason: 'The entries up to it differ from the signed ones.',
      };
  }
  const longest = Math.max(0, ...signed.keys());
  if (longest > count)
    return { ok: false, sequence: count + 1, reason: `It is missing: ${longest} entries were signed.` };
  return { ok: true, count, head };
}

/** Why an entry is not valid with this sequence after this hash; undefined if it is. */
function flawOf({ hash, ...contents }, sequence, previous) {
  if (toHex(sha256(utf8(canonicalJson(contents)))) !== hash) return 'Its hash does not match its contents.';
  if (contents.sequence !== sequence) return `Entry ${contents.sequence} is in its place.`;
  if (contents.prev_hash !== previous) return 'It does not follow the previous entry.';
  return undefined;
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

/** Whether the leaf is at this index of the tree of this size and root. RFC 9162, 2.1.3.2. */
export function verifyInclusion({ leaf_hash, leaf_index, size, root, proof }) {
  const path = proofOf(proof);
  let hash = hash32(leaf_hash, 'leaf_hash');
  let [at, last] = [natural(leaf_index, 'leaf_index'), natural(size, 'size') - 1];
  hash32(root, 'root');
  if (at > last) return false;
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      for (; at % 2 === 0 && at > 0; last = half(last)) at = half(at);
    } else hash = nodeHash(hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && toBase64(hash) === root;
}

/** Whether the tree of size `to` begins with that of size `from`. RFC 9162, 2.1.4.2. */
export function verifyConsistency({ from, to, from_root, to_root, proof }) {
  const path = proofOf(proof);
  const whole = hash32(from_root, 'from_root');
  hash32(to_root, 'to_root');
  let [at, last] = [natural(from, 'from') - 1, natural(to, 'to') - 1];
  if (at < 0 || at > last) return false;
  if (at === last) return path.length === 0 && from_root === to_root;
  for (; at % 2 === 1; last = half(last)) at = half(at);
  const [first, ...rest] = at === 0 ? [whole, ...path] : path;
  if (first === undefined) return false;
  let [older, newer] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [older, newer] = [nodeHash(sibling, older), nodeHash(sibling, newer)];
      for (; at % 2 === 0 && at > 0; last = half(last)) at = half(at);
    } else newer = nodeHash(newer, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && toBase64(older) === from_root && toBase64(newer) === to_root;
}

/**
 * Verifies a checkpoint and parses it: `{ origin, size, root }`. `vkeys` are verifier keys as `/.well-known/audit-log/keys` gives
 * them. Throws an `Error` if none of them has signed it, or if a signature by one is wrong.
 */
export function verifyCheckpoint(note, vkeys) {
  const checkpoint = readCheckpoint(note);
  verifyNote(note, vkeys);
  return checkpoint;
}

/** The text of a note, verified likewise. */
export function verifyNote(note, vkeys) {
  const { text, signatures } = parsedNote(note);
  let isSigned = false;
  for (const { name, id, key } of [vkeys].flat().map(parsedKey)) {
    for (const signature of signatures.filter((each) => each.name === name && each.id === id)) {
      if (!ed25519Verify(key, utf8(text), signature.bytes))
        throw new Error(`The signature of ${name} is not valid.`);
      isSigned = true;
    }
  }
  if (!isSigned) throw new Error(`${text.split('\n', 1)}: none of the keys has signed the note.`);
  return text;
}

/**
 * Whether an account's head is a leaf of the public tree: `{ ok: true }` or `{ ok: false, reason }`. With the account's id it must
 * also be that account's head. Where `vkeys` is null, who signed is not checked.
 */
export function verifyAnchor(anchor, vkeys, accountId) {
  const { leaf_index, leaf, salt, size, root, proof, checkpoint } = object(anchor, 'anchor');
  const { pseudonym, size: entries, root: entriesRoot } = object(leaf, 'leaf');
  if (typeof pseudonym !== 'string') throw new TypeError('pseudonym is not a string.');
  const text = `${pseudonym}\n${natural(entries, 'leaf.size')}\n${toBase64(hash32(entriesRoot, 'leaf.root'))}\n`;
  const inclusion = { leaf_hash: toBase64(leafHash(utf8(text))), leaf_index, size, root, proof };
  const isIncluded = verifyInclusion(inclusion);
  const isOf = accountId === undefined || pseudonymOf(accountId, salt) === pseudonym;
  hash32(salt, 'salt');
  const refused = (reason) => ({ ok: false, reason });
  if (!isOf) return refused('The leaf is of another account.');
  if (!isIncluded) return refused('The leaf is not in the tree.');
  try {
    const signed = readCheckpoint(checkpoint);
    // Only notes of one origin contradict each other. The public tree's is the name of its key.
    const isOfTree = ({ name }) => name === signed.origin;
    if (!parsedNote(checkpoint).signatures.some(isOfTree)) return refused('Another tree is signed.');
    const own = [vkeys ?? []].flat().filter((vkey) => isOfTree(parsedKey(vkey)));
    if (vkeys !== null) verifyNote(checkpoint, own);
    if (signed.size !== size || signed.root !== root) return refused('Another head is signed.');
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return refused(error.message);
  }
  return { ok: true };
}

/** Base64url of HMAC-SHA256 over the account's id, keyed by its salt. */
function pseudonymOf(accountId, salt) {
  const block = new Uint8Array(64);
  block.set(hash32(salt, 'salt'));
  const pad = (byte) => block.map((each) => each ^ byte);
  const mac = sha256(joined(pad(0x5c), sha256(joined(pad(0x36), utf8(accountId)))));
  return toBase64(mac).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function parsedNote(note) {
  const [, text, lines] = /^((?:[^\n]+\n)+)\n((?:\u2014 [^\n]+\n)+)$/u.exec(note) ?? [];
  if (typeof note !== 'string' || text === undefined) throw new TypeError('The text is not a signed note.');
  const signatures = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, name, signed = ''] = /^\u2014 ([^\s+]+) (\S+)$/u.exec(line) ?? [];
      const bytes = fromBase64(signed, 'signature');
      if (name === undefined || bytes.length < 5)
        throw new TypeError('A line of the note is not a signature.');
      return { name, id: toHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) };
    });
  return { text, signatures };
}

/** A checkpoint whose signatures are not verified. */
export function readCheckpoint(note) {
  const [origin, digits = '', root = ''] = parsedNote(note).text.split('\n');
  const size = Number(digits);
  if (!/^(0|[1-9]\d*)$/.test(digits)) throw new TypeError('The second line of the note is not a size.');
  return { origin, size: natural(size, 'size'), root: toBase64(hash32(root, 'root')) };
}

function parsedKey(vkey) {
  const [, name, id, encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(vkey) ?? [];
  const key = fromBase64(encoded, 'vkey');
  if (name === undefined || key[0] !== 1 || key.length !== 33 || id !== keyId(name, key))
    throw new TypeError('A key is not an Ed25519 key.');
  return { name, id, key: key.subarray(1) };
}
const keyId = (name, key) => toHex(sha256(joined(utf8(`${name}\n`), key)).subarray(0, 4));

const half = (number) => Math.floor(number / 2);
const leafHash = (bytes) => sha256(joined([0], bytes));
const nodeHash = (left, right) => sha256(joined([1], left, right));

/** Adds a leaf to the roots of the perfect subtrees that a tree consists of, the largest first. */
function grow(frontier, leaf) {
  let [node, leaves] = [leaf, 1];
  for (; frontier.at(-1)?.leaves === leaves; leaves *= 2) node = nodeHash(frontier.pop().node, node);
  frontier.push({ node, leaves });
}
const rootOf = (frontier) =>
  frontier.map(({ node }) => node).reduceRight((right, left) => nodeHash(left, right));

function object(value, name) {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} is not an object.`);
  return value;
}
function natural(value, name) {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${name} is not a size or index.`);
  return value;
}
function hash32(value, name) {
  const bytes = fromBase64(value, name);
  if (bytes.length !== 32) throw new TypeError(`${name} is not 32 bytes.`);
  return bytes;
}
function proofOf(proof) {
  if (!Array.isArray(proof)) throw new TypeError('proof is not a list.');
  return proof.map((hash) => hash32(hash, 'proof'));
}

const { atob, btoa } = globalThis;
const utf8 = (text) => new TextEncoder().encode(text);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOfHex = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
/** Refuses any text but the one that `toBase64` writes for the bytes, so that no bit of it is ignored. */
function fromBase64(text, name) {
  const bytes = Uint8Array.from(decoded(text), (char) => char.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new TypeError(`${name} is not base64.`);
  return bytes;
}
function decoded(text) {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** The first 64 bits after the point of the square or cube roots of the first primes: the constants of SHA-2. */
const primes = [];
for (let n = 2; primes.length < 80; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (power) => (prime) => {
  const radicand = BigInt(prime) << BigInt(64 * power);
  let root = 0n;
  for (let bit = 1n << 67n; bit > 0n; bit >>= 1n) if ((root + bit) ** BigInt(power) <= radicand) root += bit;
  return BigInt.asUintN(64, root);
};
const round64 = primes.map(fraction(3));
const initial64 = primes.slice(0, 8).map(fraction(2));
const high32 = (word) => Number(word >> 32n);
const [round32, initial32] = [round64.map(high32), initial64.map(high32)];

/** The message with a one bit, zeros, and its length in bits, in whole blocks. */
function padded(bytes, block) {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 1 + block / 8) / block) * block);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length * 8));
  return view;
}

function sha256(bytes) {
  const view = padded(bytes, 64);
  const state = Int32Array.from(initial32);
  const words = new Int32Array(64);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let start = 0; start < view.byteLength; start += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t += 1) {
      if (t < 16) words[t] = view.getInt32(start + t * 4);
      else {
        const [x, y] = [words[t - 15], words[t - 2]];
        const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
        const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
        words[t] = words[t - 16] + s0 + words[t - 7] + s1;
      }
      const t1 =
        (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + round32[t] + words[t]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

function sha512(bytes) {
  const view = padded(bytes, 128);
  const u64 = (word) => BigInt.asUintN(64, word);
  const turn = (word, by) => (word >> by) | u64(word << (64n - by));
  let state = initial64;
  for (let start = 0; start < view.byteLength; start += 128) {
    const words = [];
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 80; t += 1) {
      if (t < 16) words[t] = view.getBigUint64(start + t * 8);
      else {
        const [x, y] = [words[t - 15], words[t - 2]];
        const s0 = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n);
        const s1 = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
        words[t] = u64(words[t - 16] + s0 + words[t - 7] + s1);
      }
      const t1 =
        h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & g)) + round64[t] + words[t];
      const t2 = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, u64(d + t1), c, b, a, u64(t1 + t2)];
    }
    state = [a, b, c, d, e, f, g, h].map((word, i) => u64(word + state[i]));
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => digest.setBigUint64(i * 8, word));
  return new Uint8Array(digest.buffer);
}

/** RFC 8032, section 5.1: the field, the order of the base point, the curve's constant. */
const p = 2n ** 255n - 19n;
const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (n) => ((n % p) + p) % p;
function power(base, exponent) {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n, base = mod(base * base))
    if (exponent & 1n) result = mod(result * base);
  return result;
}
const d = mod(-121665n * power(121666n, p - 2n));
const littleEndian = (bytes) => BigInt(`0x${toHex([...bytes].reverse())}`);

/** The point that 32 bytes encode, in extended coordinates; undefined when they encode none. */
function pointOf(bytes) {
  const encoded = littleEndian(bytes);
  const [sign, y] = [encoded >> 255n, BigInt.asUintN(255, encoded)];
  if (y >= p) return undefined;
  const square = mod((y * y - 1n) * power(mod(d * y * y + 1n), p - 2n));
  let x = power(square, (p + 3n) / 8n);
  if (mod(x * x - square) !== 0n) x = mod(x * power(2n, (p - 1n) / 4n));
  if (mod(x * x - square) !== 0n || (x === 0n && sign === 1n)) return undefined;
  if ((x & 1n) !== sign) x = p - x;
  return [x, y, 1n, mod(x * y)];
}
const base = pointOf(Uint8Array.from([0x58, ...Array(31).fill(0x66)]));

function sum([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
  const [c, e] = [mod(2n * d * t1 * t2), mod(2n * z1 * z2)];
  const [f, g, h, i] = [b - a, e - c, e + c, b + a];
  return [mod(f * g), mod(h * i), mod(g * h), mod(f * i)];
}
function product(point, factor) {
  let result = [0n, 1n, 1n, 0n];
  for (; factor > 0n; factor >>= 1n, point = sum(point, point)) if (factor & 1n) result = sum(result, point);
  return result;
}

function ed25519Verify(key, message, signature) {
  if (signature.length !== 64) return false;
  const [a, r] = [pointOf(key), pointOf(signature.subarray(0, 32))];
  const s = littleEndian(signature.subarray(32));
  if (a === undefined || r === undefined || s >= order) return false;
  const h = littleEndian(sha512(joined(signature.subarray(0, 32), key, message))) % order;
  const [x1, y1, z1] = product(base, s);
  const [x2, y2, z2] = sum(r, product(a, h));
  return mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n;
}
