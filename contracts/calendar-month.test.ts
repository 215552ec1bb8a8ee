import { expect } from 'chai';
import { boundsOfMonth, monthOf } from './calendar-month.ts';

describe('a calendar month', () => {
  it('is in UTC, whatever the zone of the time', () => {
    expect(monthOf('2026-01-31T23:59:59.999Z')).to.equal('2026-01');
    expect(monthOf('2026-02-01T00:30:00.000+01:00')).to.equal('2026-01');
    expect(monthOf('2026-02-01T00:00:00.000Z')).to.equal('2026-02');
  });

  it('ends where the next one starts', () => {
    expect(boundsOfMonth('2026-12')).to.deep.equal({
      start: '2026-12-01T00:00:00.000Z',
      end: '2027-01-01T00:00:00.000Z',
    });
  });
});
