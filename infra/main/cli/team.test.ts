import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

const [ownerAccountId, member] = [anAccount(), anAccount()];
const at = '2026-01-05T12:00:00.000Z';
const expiresAt = '2999-01-01T00:00:00.000Z';

describe('the operator’s commands on teams', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let environment: Readonly<Record<string, string | undefined>>;
  const [joined, open, expired] = [randomUUID(), randomUUID(), randomUUID()];
  const service = (...args: string[]) => runService(['team', ...args], environment);
  const seat = (uuid: string) => ({ membershipId: toId('membership', uuid), ownerAccountId, at });
  const invited = (uuid: string, until: string) => ({
    type: 'TeamMemberInvited',
    data: { ...seat(uuid), sealedEmail: 'sealed1.x', role: 'admin', tokenId: uuid, expiresAt: until },
  });

  before(async () => {
    side = await startReadSide();
    side.project();
    environment = operatorOf(side);
    const joining = {
      type: 'TeamMemberJoined',
      data: { ...seat(joined), accountId: member, role: 'member' },
    };
    for (const accountId of [ownerAccountId, member]) {
      const created = {
        type: 'AccountCreated',
        data: { accountId, sealedEmail: 'sealed1.x', tier: 'team', at },
      };
      await side.append(`account-${uuidOf(accountId)}`, [created], by(accountId));
    }
    await side.append(`team_member-${joined}`, [invited(joined, expiresAt), joining], by(ownerAccountId));
    await side.append(`team_member-${open}`, [invited(open, expiresAt)], by(ownerAccountId));
    await side.append(`team_member-${expired}`, [invited(expired, at)], by(ownerAccountId));
    await side.caughtUp();
  });
  after(() => side.close());

  it('list who is on a team and who is invited to it', async () => {
    const { status, stdout } = await service('list', '--account', ownerAccountId, '--json');
    expect(status).to.equal(0);
    const [first, second, ...others] = JSON.parse(stdout) as unknown[];
    expect(first).to.deep.equal({
      id: toId('membership', joined),
      status: 'member',
      account_id: member,
      role: 'member',
      since: at,
      expires_at: null,
    });
    expect(second).to.deep.equal({
      id: toId('invitation', open),
      status: 'invited',
      account_id: null,
      role: 'admin',
      since: at,
      expires_at: expiresAt,
    });
    expect(others).to.deep.equal([]);
  });

  it('print a message when there are no members', async () => {
    const { status, stdout } = await service('list', '--account', member);
    expect([status, stdout]).to.deep.equal([0, 'The team has no members and no open invitations.\n']);
  });

  it('explain themselves', async () => {
    const { status, stdout } = await service('list', '--help');
    expect(status).to.equal(0);
    expect(stdout).to.include('--account <id>').and.to.include('--json');
  });
});
