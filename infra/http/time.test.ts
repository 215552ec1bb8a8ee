import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { timeOf } from './time.ts';

describe('a time in a request', () => {
  const parsed = (text: string) => timeOf('/body/since', text).toISOString();

  it('is parsed with any offset', () => {
    expect(parsed('2026-01-05T12:00:00.5+02:00')).to.equal('2026-01-05T10:00:00.500Z');
  });

  it('is clamped to the range that Postgres can store', () => {
    for (const text of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '1969-12-31T23:59:59Z'])
      expect(parsed(text), text).to.equal('1970-01-01T00:00:00.000Z');
    for (const text of ['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59.999Z'])
      expect(parsed(text), text).to.equal('9999-12-31T23:59:59.999Z');
  });

  it('is refused, naming its field, if it does not exist', () => {
    expect(() => parsed('2026-12-31T23:59:60Z'))
      .to.throw(Refusal, 'since is not a valid date-time.')
      .with.property('slug', 'validation-failed');
  });
});
