import { expect } from 'chai';
import { encodeEvents, maxAppendBytes } from './encoding.ts';
import { UnstorableEvent } from './failures.ts';

const id = '0197f1a0-0000-7000-8000-000000000001';
const encode = (data: unknown) => encodeEvents([{ id, type: 'Tried', data }]);
const cycle: { self?: unknown } = {};
cycle.self = cycle;

describe('encoding of events', () => {
  const unstorable: Readonly<Record<string, unknown>> = {
    'a BigInt': { n: 1n },
    'a cycle': cycle,
    nothing: undefined,
    'a function': () => 1,
    'a NUL in a value': { text: 'a\u0000b' },
    'a NUL in a name': { 'a\u0000b': 1 },
    'a NUL after a backslash': { text: '\\\u0000' },
    'a lone high surrogate': { text: 'a\ud800b' },
    'a lone low surrogate': { text: '\udc00' },
    'more than the store takes': { text: 'x'.repeat(maxAppendBytes) },
  };
  for (const [what, data] of Object.entries(unstorable)) {
    it(`refuses ${what} before anything is sent`, () => {
      expect(() => encode(data)).to.throw(UnstorableEvent);
    });
  }

  it('accepts text that only looks like an escape, control characters and whole surrogate pairs', () => {
    for (const text of ['\\u0000', '\\\\ud800', 'tab\tbell\u0007', 'pair \ud83d\ude00', '']) {
      const [event] = encode({ text });
      expect(JSON.parse(Buffer.from(event?.data ?? []).toString())).to.deep.equal({ text });
    }
  });

  it('refuses an id that is not a uuid', () => {
    expect(() => encodeEvents([{ id: 'first', type: 'Tried', data: {} }])).to.throw(
      UnstorableEvent,
      'not a uuid',
    );
  });
});
