import { expect } from 'chai';
import { SchemaRefused, readResultForm } from './result-form.ts';

const text = { type: 'string' };
const invoice = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['number', 'total'],
  additionalProperties: false,
  properties: {
    number: { type: 'string', pattern: '^[A-Z0-9-]+$' },
    total: { $ref: '#/$defs/amount' },
    due: { type: 'string', format: 'date' },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
  },
  $defs: {
    amount: { type: 'number', minimum: 0 },
    line: { type: 'object', properties: { text, sum: { $ref: '#/$defs/amount' } } },
  },
};
const nested = (depth: number): object =>
  depth === 1 ? { type: 'object' } : { type: 'object', properties: { a: nested(depth - 1) } };
const refusalOf = (schema: object): SchemaRefused => {
  try {
    readResultForm(schema as Readonly<Record<string, unknown>>);
  } catch (error) {
    if (error instanceof SchemaRefused) return error;
    throw error;
  }
  return expect.fail('It was taken.');
};

describe('the form of a result', () => {
  it('says whether a result fits, and what does not', () => {
    const { faultOf } = readResultForm(invoice);
    expect(
      faultOf({ number: 'A-7', total: 12.5, due: '2026-11-26', lines: [{ text: 'x', sum: 1 }] }),
    ).to.equal(null);
    expect(faultOf({ number: 'A-7' })).to.equal("/ must have required property 'total'");
    expect(faultOf({ number: 'A-7', total: '12' })).to.equal('/total must be number');
    expect(faultOf({ number: 'A-7', total: 1, due: 'soon' })).to.equal('/due must match format "date"');
  });

  it('may be a list, eight schemas deep, or refer to itself', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    expect(readResultForm(tree).faultOf({ children: [{ children: [{}] }] })).to.equal(null);
    expect(readResultForm(tree).faultOf({ children: [{ children: {} }] })).to.match(/must be array/);
    expect(readResultForm({ type: 'array', items: text }).faultOf(['a', 1])).to.equal('/1 must be string');
    expect(readResultForm({ ...nested(8) }).faultOf({ a: { a: {} } })).to.equal(null);
  });

  const refused: readonly (readonly [what: string, schema: object, path: string])[] = [
    ['no type', { properties: {} }, '/type'],
    ['a text at its top', text, '/type'],
    ['nine schemas within each other', nested(9), '/properties/a'.repeat(8)],
    ['another document', { type: 'object', $ref: 'https://schemas.example/a.json' }, '/$ref'],
    ['a file', { type: 'object', properties: { a: { $ref: 'file:///etc/passwd' } } }, '/properties/a/$ref'],
    ['nothing that it refers to', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, ''],
    ['a name of its own', { type: 'object', $id: 'https://schemas.example/' }, '/$id'],
    ['an anchor', { type: 'object', $defs: { a: { $anchor: 'here' } } }, '/$defs/a/$anchor'],
    [
      'an unknown format',
      { type: 'object', properties: { a: { format: 'idn-host' } } },
      '/properties/a/format',
    ],
    ['a broken pattern', { type: 'object', properties: { a: { pattern: '(' } } }, '/properties/a/pattern'],
    ['a broken pattern of names', { type: 'object', patternProperties: { '(': text } }, ''],
    ['an unknown type', { type: 'object', properties: { a: { type: 'money' } } }, '/properties/a/type'],
    ['more than 16 KiB', { type: 'object', description: 'x'.repeat(16 * 1024) }, ''],
    ['10 MB', { type: 'object', enum: ['x'.repeat(10_000_000)] }, ''],
    ['itself without an end', { type: 'object', allOf: [{ $ref: '#' }] }, ''],
  ];
  for (const [what, schema, path] of refused)
    it(`is refused with ${what}`, () => expect(refusalOf(schema).path).to.equal(path));

  it('is refused with lists a thousand deep', () => {
    const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown;
    expect(refusalOf({ type: 'object', const: deep })).to.be.instanceOf(SchemaRefused);
  });

  it('does not block others, whatever its patterns and references are', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, { allOf: [next, next] }];
      }),
    );
    const $defs = { ...doubling, d30: { not: { type: 'string' } } };
    const hostile = [
      [{ type: 'object', properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(60)}!` }],
      [{ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }, { a: 1 }],
    ] as const;
    for (const [schema, result] of hostile) {
      const before = process.cpuUsage();
      expect(readResultForm(schema).faultOf(result)).to.match(/could not be checked in time/);
      expect(process.cpuUsage(before).user).to.be.below(3_000_000);
    }
  });

  it('has no room for a result without an end', () => {
    const { faultOf } = readResultForm({ type: 'array' });
    expect(faultOf(['x'.repeat(200_001)])).to.equal('The result is too long.');
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
    expect(faultOf(deep)).to.match(/goes too deep/);
  });
});
