import { expect } from 'chai';
import { startReadSide, type ReadSide } from '../testing/index.ts';
import { countLiveSessions } from './session.ts';

describe('the count of sessions for metrics', () => {
  let side: ReadSide;
  before(async () => (side = await startReadSide()));
  after(() => side.close());

  it('is of the live ones, and reads no others', async () => {
    const { pool } = side.postgres;
    await pool.query(
      `insert into read_model.sessions
         (id, account_id, archetype, status, metadata, created_at, updated_at, commit_position, prepare_position)
       select 'ses_' || i, 'acc_1', 'iphone-15', case when i <= 3 then 'ready' else 'destroyed' end, '{}', now(), now(), i, i
       from generate_series(1, 20000) as i`,
    );
    await pool.query('analyze read_model.sessions');
    expect(await countLiveSessions(pool)).to.deep.equal({ ready: 3 });
    const plan: string[] = [];
    const explaining = {
      query: async (text: string) => {
        const { rows } = await pool.query<Record<string, string>>(`explain ${text}`);
        plan.push(...rows.map((row) => row['QUERY PLAN'] ?? ''));
        return { rows: [] };
      },
    } as unknown as typeof pool;
    await countLiveSessions(explaining);
    expect(plan.join(' '))
      .to.match(/Index/)
      .and.not.to.match(/Seq Scan/);
  });
});
