import { expect } from 'chai';
import { uuidOf } from '../../../contracts/ids.ts';
import { aSession, at, requested, sessionStream, by } from '../../../projections/testing/index.ts';
import { startReadApi, type ReadApi } from '../../../read-api/testing.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('the operator’s views of accounts', () => {
  // The first command may have to bundle the sources.
  let side: ReadApi;
  let account: string;
  const session = aSession();
  const service = (...args: string[]) =>
    runService([...args, '--json'], { ...operatorOf(side), MASTER_KEY: side.masterKey.toString('base64') });
  before(async () => {
    side = await startReadApi();
    side.project();
    const added = await side.addAccount('Ada@example.com');
    account = added.account;
    await side.append(sessionStream(session), [requested(session, added.account)], by(added.account));
    await side.caughtUp();
  });
  after(() => side.close());

  it('list them with their live sessions', async () => {
    const { status, stdout } = await service('account', 'list', '--tier', 'team');
    expect(status).to.equal(0);
    const [row] = JSON.parse(stdout) as Record<string, unknown>[];
    expect(row).to.deep.include({ id: account, tier: 'team', suspended_at: null, live_sessions: 1 });
    expect(JSON.parse((await service('account', 'list', '--suspended')).stdout)).to.deep.equal([]);
  });

  it('show one with its email address and its counts', async () => {
    const { status, stdout } = await service('account', 'show', '--account', account);
    expect(status).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({
      ...{ id: account, email: 'Ada@example.com', tier: 'team', live_sessions: 1 },
      ...{ api_keys: 1, webhooks: 0, proxies: 0, suspended_at: null },
      ...{ concurrency_override: null, profile_cap_override: null },
    });
    expect(stdout).not.to.contain('sealed');
  });

  it('report an unknown account', async () => {
    const { status, stderr } = await service(
      'account',
      'show',
      '--account',
      account.replace(/.{4}$/, '0000'),
    );
    expect(status).to.equal(1);
    expect(stderr).to.contain('There is no account');
  });

  it('list the sessions of one', async () => {
    const { stdout } = await service('sessions-of', '--account', account, '--live');
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.map(({ id, status }) => [id, status])).to.deep.equal([[session, 'creating']]);
  });

  it('distinguish an erased account from one that may be reinstated', async () => {
    const { account: erased } = await side.addAccount();
    const event = { type: 'AccountErased', data: { accountId: erased, at } } as const;
    await side.write(erased, `account-${uuidOf(erased)}`, [event]);
    await side.caughtUp();
    const { stdout } = await service('account', 'list');
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    const known = rows.map(({ id, erased_at }) => [id, erased_at]);
    expect(known).to.have.deep.members([
      [erased, at],
      [account, null],
    ]);
    expect(JSON.parse((await service('account', 'list', '--suspended')).stdout)).to.deep.equal([]);
    const shown = await service('account', 'show', '--account', erased);
    expect(JSON.parse(shown.stdout)).to.deep.include({ erased_at: at });
  });
});
