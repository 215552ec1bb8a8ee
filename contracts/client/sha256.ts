/** SHA-256 (FIPS 180-4) and HMAC (RFC 2104), because no synchronous implementation exists on all platforms. */

const primes = [...primesBelow(312)];
const fraction = (root: number) => (prime: number) => ((prime ** root % 1) * 2 ** 32) | 0;
/** The first bits of roots of the first primes, computed instead of copied. */
const constants = primes.map(fraction(1 / 3));
const initial = primes.slice(0, 8).map(fraction(1 / 2));

function* primesBelow(end: number): Generator<number> {
  for (let n = 2; n < end; n += 1) {
    let divisor = 2;
    while (n % divisor !== 0) divisor += 1;
    if (divisor === n) yield n;
  }
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(message: Uint8Array): Uint8Array {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length << 3);
  const state = Int32Array.from(initial);
  const schedule = new Int32Array(64);
  for (let block = 0; block < length; block += 64) {
    for (let i = 0; i < 16; i += 1) schedule[i] = view.getInt32(block + i * 4);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setInt32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

const at = (words: ArrayLike<number>, index: number): number => words[index] ?? 0;

function compress(state: Int32Array, schedule: Int32Array): void {
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [at(schedule, i - 15), at(schedule, i - 2)];
    const small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[i] = (at(schedule, i - 16) + small0 + at(schedule, i - 7) + small1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const one = (h + big1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(schedule, i)) | 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = at(state, index) + word));
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(
    joined(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
