import { expect } from 'chai';
import { uuidOf } from '../../../contracts/ids.ts';
import { deprecations } from '../../../contracts/deprecations.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('the operator’s command on deprecations', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let environment: Readonly<Record<string, string | undefined>>;
  before(async () => {
    side = await startReadSide();
    side.project();
    environment = operatorOf(side);
    for (const day of ['2026-12-01', '2026-12-02']) {
      const accountId = anAccount();
      const used = {
        type: 'DeprecationUsed',
        data: { accountId, deprecationId: 'account-usage', day, at: `${day}T12:00:00.000Z` },
      };
      await side.append(`deprecated_use-${uuidOf(accountId)}`, [used], by(accountId));
    }
    await side.caughtUp();
  });
  after(() => side.close());

  it('lists deprecated routes and fields, and how many accounts still use them', async () => {
    const { status, stdout, stderr } = await runService(['deprecations', 'list', '--json'], environment);
    expect(status, stderr).to.equal(0);
    const listed = JSON.parse(stdout) as readonly Record<string, unknown>[];
    expect(listed.map(({ id }) => id)).to.deep.equal(deprecations.map(({ id }) => id));
    expect(listed[0]).to.include({ id: 'account-usage', accounts: 2, last_used: '2026-12-02' });
    expect(listed[1]).to.include({ accounts: 0, last_used: null });
  });
});
