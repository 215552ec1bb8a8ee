import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { dayMs } from '../../contracts/durations.ts';
import { toId, uuidOf } from '../../contracts/ids.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import { invitationQuota } from '../../domain/team-member.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';
import { aPerson, tokenOf } from '../testing/team.ts';

const outcome = ({ status, json }: Answer) => (status < 400 ? status : String(json.type).split('/').at(-1));

describe('the invitations that an account may have open', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock });
  });
  after(() => side.close());

  const invite = (token: string, email = `${randomUUID()}@example.com`, { call } = side) =>
    call('POST /v1/team/invites', { token, body: { email, role: 'member' } });
  const withdraw = (token: string, invited: Answer | undefined) =>
    side.call(`DELETE /v1/team/invites/${String(invited?.json.id)}`, { token });
  /** An owner on the free tier with the maximum of invitations. */
  const atTheLimit = async () => {
    const { token, accountId } = await side.staff.account('free');
    const open: Answer[] = [];
    for (let n = 0; n < tierLimits.free.openInvitations; n += 1) open.push(await invite(token));
    expect(open.map(outcome)).to.deep.equal([201, 201, 201]);
    expect(outcome(await invite(token))).to.equal('tier-limit');
    return { token, accountId, open };
  };

  it('are as many as its tier has, and more once one is withdrawn or has expired', async () => {
    const { token, open } = await atTheLimit();
    expect(outcome(await withdraw(token, open[0]))).to.equal(204);
    expect(outcome(await invite(token))).to.equal(201);
    expect(outcome(await invite(token))).to.equal('tier-limit');
    clock.advance(7 * dayMs);
    expect(outcome(await invite(token))).to.equal(201);
  });

  it('are one fewer once a person has joined', async () => {
    const { token, open } = await atTheLimit();
    await withdraw(token, open[0]);
    const ada = await aPerson(side, { scopes: ['account_owner'] });
    const body = { token: await tokenOf(side, await invite(token, ada.email)) };
    expect(outcome(await side.call('POST /v1/team/invites/accept', { token: ada.token, body }))).to.equal(
      201,
    );
    expect(outcome(await invite(token))).to.equal(201);
    expect(outcome(await invite(token))).to.equal('tier-limit');
  });

  it('are no more when many are sent at once to two processes', async () => {
    const { token, accountId } = await side.staff.account('free');
    const another = await side.serve();
    const insist = async (via: typeof side): Promise<Answer> => {
      const answer = await invite(token, undefined, via);
      return outcome(answer) === 'conflict' ? insist(via) : answer;
    };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => insist(n % 2 === 0 ? side : { ...side, ...another })),
    );
    await another.close();
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.map(outcome).sort()).to.deep.equal([
      201,
      201,
      201,
      ...Array<string>(9).fill('tier-limit'),
    ]);
    const { state } = await side.staff.runner.load(invitationQuota, uuidOf(accountId));
    expect(state.reservations.map(({ id }) => id)).to.have.members(made.map(({ json }) => json.id));
  });

  it('are not fewer for a request that died before its invitation was there', async () => {
    const { token, accountId } = await side.staff.account('free');
    for (let n = 0; n < 3; n += 1) {
      const id = toId('invitation', randomUUID());
      const share = { accountId, id, name: null, limit: 3, at: clock.now().toISOString() };
      const reserve = { type: 'Reserve', ...share } as const;
      await side.staff.runner.run(invitationQuota, uuidOf(accountId), reserve, side.staff.context());
    }
    clock.advance(59_999);
    expect(outcome(await invite(token))).to.equal('tier-limit');
    clock.advance(1);
    expect(outcome(await invite(token))).to.equal(201);
  });
});
