import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { at } from '../../../projections/testing/index.ts';
import { startReadApi, type ReadApi } from '../../../read-api/testing.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

describe('service account erase', () => {
  // The first command may have to bundle the sources.
  let side: ReadApi;
  let owner: AccountId;
  let erased: AccountId;
  let token: string;
  const service = (...args: string[]) =>
    runService([...args, '--json'], { ...operatorOf(side), MASTER_KEY: side.masterKey.toString('base64') });
  const membersOf = async (account: AccountId): Promise<unknown> =>
    JSON.parse((await service('team', 'list', '--account', account)).stdout);
  const join = (ownerAccountId: AccountId, accountId: AccountId) => {
    const uuid = randomUUID();
    const seat = { membershipId: toId('membership', uuid), ownerAccountId, at };
    const invitation = { sealedEmail: 'sealed1.x', tokenId: uuid, expiresAt: '2999-01-01T00:00:00.000Z' };
    return side.write(ownerAccountId, `team_member-${uuid}`, [
      { type: 'TeamMemberInvited', data: { ...seat, ...invitation, role: 'admin' } },
      { type: 'TeamMemberJoined', data: { ...seat, accountId, role: 'admin' } },
    ]);
  };
  before(async () => {
    side = await startReadApi();
    side.project();
    owner = (await side.addAccount('owner@example.com')).account;
    const added = await side.addAccount('erased@example.com');
    [erased, token] = [added.account, added.key.text];
    await join(owner, erased);
    await join(erased, owner);
    await side.caughtUp();
  });
  after(() => side.close());

  it('ends the resources of the account and its memberships of teams, once', async () => {
    expect(await membersOf(owner)).to.have.length(1);
    const { stdout } = await service('account', 'erase', '--account', erased);
    expect(JSON.parse(stdout)).to.deep.equal({ account_id: erased, erased: true, changed: true });
    await side.caughtUp();
    expect((await side.call('GET /v1/account/me', { token })).status).to.equal(401);
    for (const account of [owner, erased]) expect(await membersOf(account)).to.deep.equal([]);
    const shown = await service('account', 'show', '--account', erased);
    expect(JSON.parse(shown.stdout)).to.deep.include({ email: null });
    const again = await service('account', 'erase', '--account', erased);
    expect(JSON.parse(again.stdout)).to.include({ changed: false });
  });

  it('refuses an unknown account', async () => {
    const unknown = toId('account', uuidOf(erased).replace(/.{4}$/, '0000'));
    expect(await service('account', 'erase', '--account', unknown)).to.deep.include({
      ...{
        status: 1,
        stdout: '',
        stderr: `not-found: There is no ${unknown}, or no longer.\n`,
      },
    });
  });
});
