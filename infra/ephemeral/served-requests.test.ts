import { expect } from 'chai';
import type pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '../platform/clock.ts';
import { until } from '../verification/testbed/index.ts';
import { createServedRequests } from './index.ts';

interface Statement {
  readonly rows: number;
  readonly end: () => void;
}

/** A Postgres whose answers the test gives. */
function answeringLater() {
  const statements: Statement[] = [];
  const query = ({ values: [ids = []] }: { readonly values: readonly (readonly unknown[])[] }) =>
    new Promise<void>((end) => statements.push({ rows: ids.length, end }));
  return { statements, pool: { ended: false, query } as unknown as pg.Pool };
}

describe('the records of answers to requests', () => {
  it('are limited in number while a statement has no answer', async () => {
    const { statements, pool } = answeringLater();
    const served = createServedRequests({ pool, clock: systemClock, logger: pino({ level: 'silent' }) });
    const record = (count: number) => {
      for (let each = 0; each < count; each += 1)
        served.record({
          ...{ requestId: `req_${each}`, accountId: null, routeId: 'sessions.create' },
          ...{ method: 'POST', status: 201, milliseconds: 1 },
        });
    };
    record(1);
    const closes = [served.close()];
    await until(() => statements.length === 1);
    for (let times = 0; times < 5; times += 1) {
      record(10_000);
      closes.push(served.close());
    }
    const closed = Promise.all(closes).then(() => true);
    let ended = 0;
    const endAll = async () => {
      for (; ended < statements.length; ended += 1) statements[ended]?.end();
      return Promise.race([closed, Promise.resolve(false)]);
    };
    await until(endAll);
    expect(statements.map(({ rows }) => rows)).to.deep.equal([1, 10_000]);
  });
});
