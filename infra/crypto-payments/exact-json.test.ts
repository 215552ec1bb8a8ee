import { expect } from 'chai';
import fc from 'fast-check';
import { decimalText, parseDecimal, unitsIn } from '../../contracts/decimal.ts';
import { fieldsOf, parseExactJson, sortedJson, textIn } from './exact-json.ts';

const number = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 60n }).map(String),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }))
    .map(([whole, part]) => `${whole}.${part}`),
  fc.constantFrom('0.00000001', '1e-8', '3999.50', '18446744073709551616', '1E+20'),
);

describe('JSON with exact numbers', () => {
  it('keeps the digits of every number', () => {
    fc.assert(
      fc.property(number, (digits) => {
        const fields = fieldsOf(parseExactJson(`{"a": ${digits}, "b": [${digits}]}`));
        expect(textIn(fields.a)).to.equal(digits);
      }),
    );
  });

  it('is the JSON that it was, with its keys in order at every depth', () => {
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
      return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(sortedJson(parseExactJson(text), String))).to.deep.equal(JSON.parse(text));
      }),
    );
    const text = '{"b":{"z":1,"a":"n1 \\"2\\" s"},"a":[{"d":null,"c":true}]}';
    expect(sortedJson(parseExactJson(text), String)).to.equal(JSON.stringify(sorted(JSON.parse(text))));
  });

  it('refuses what is no JSON, and what is nested far too deeply', () => {
    for (const text of ['', '{', '01', '{"a":1,}', `${'['.repeat(100)}${']'.repeat(100)}`])
      expect(() => parseExactJson(text), text).to.throw(SyntaxError);
  });
});

describe('a decimal', () => {
  it('is read without a float', () => {
    const units = (text: string, exponent: number) => {
      const value = parseDecimal(text);
      return value && String(unitsIn(value, exponent));
    };
    expect(units('0.00000001', 8)).to.equal('1');
    expect(units('1e-8', 8)).to.equal('1');
    expect(units('3999.50', 2)).to.equal('399950');
    expect(units('18446744073709551616.000000000000000001', 18)).to.equal(
      '18446744073709551616000000000000000001',
    );
    expect(units('1E+20', 0)).to.equal('100000000000000000000');
    expect(units('0.019', 2)).to.equal('1');
  });

  it('is none where the text is none, is negative or is endless', () => {
    for (const text of ['', '-1', '1.', '.5', 'NaN', 'Infinity', '0x10', '1e999', '9'.repeat(101), ' 1'])
      expect(parseDecimal(text), text).to.equal(undefined);
  });

  it('is written as it was read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat(30), (units, exponent) => {
        const value = parseDecimal(decimalText(units, exponent));
        expect(value && unitsIn(value, exponent)).to.equal(units);
      }),
    );
  });
});
