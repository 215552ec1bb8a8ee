import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { toId } from '../../contracts/ids.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('accounts made by staff', () => {
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide();
  });
  after(() => side.close());

  const create = (email: string) => side.staff.accounts.create({ email, tier: 'team' }, side.staff.context());
  const refusedSlug = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown);
    return error instanceof Refusal ? error.slug : 'not refused';
  };
  const ofType = async (type: string) => (await side.allEvents()).filter((event) => event.type === type);

  it('have an address of their own, however it is written', async () => {
    const address = `${randomUUID()}@Example.com`;
    await create(address);
    expect(await refusedSlug(create(` ${address.toUpperCase()} `))).to.equal('email-already-registered');
  });

  it('are one when two are made for an address at once', async () => {
    const address = `${randomUUID()}@example.com`;
    const before = (await ofType('AccountCreated')).length;
    const results = await Promise.allSettled([create(address), create(address)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
    expect(await ofType('AccountCreated')).to.have.lengthOf(before + 1);
  });

  it('take over a reservation whose account never came', async () => {
    const address = `${randomUUID()}@example.com`;
    await create(address);
    const reserved = (await ofType('EmailReserved')).at(-1);
    if (!reserved) throw new Error('nothing was reserved');
    const orphan = toId('account', randomUUID());
    // The state after a process was killed between the reservation and the creation of the account.
    await side.store.append(reserved.stream, reserved.revision, [
      {
        id: randomUUID(),
        type: 'EmailReserved',
        data: { accountId: orphan, at: new Date().toISOString() },
        metadata: reserved.metadata,
      },
    ]);
    expect((await create(address)).accountId).to.equal(orphan);
  });

  it('refuse what is no address', async () => {
    for (const wrong of ['', 'ann', 'ann@', '@example.com', 'a b@example.com'])
      expect(await refusedSlug(create(wrong)), wrong).to.equal('validation-failed');
  });

  it('belong to their events, for every actor', async () => {
    const { accountId } = await create(`${randomUUID()}@example.com`);
    await side.staff.accounts.suspend(accountId, 'unpaid', side.staff.context());
    for (const { metadata } of await side.events(`account-${accountId.slice(4)}`))
      expect(metadata.actor).to.deep.equal({ kind: 'staff', account_id: accountId });
  });
});
