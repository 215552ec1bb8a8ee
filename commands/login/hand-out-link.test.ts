import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { loadConfig } from '../../infra/config/index.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { onlyPepper } from '../../infra/keys/index.ts';
import { linkLifetimes } from '../../infra/main/composition/settings.ts';
import { auditEntryOf, emptyChain } from '../../projections/audit/entry.ts';
import { context } from '../engine/testing.ts';
import { openMailWorld, type MailWorld } from '../process-managers/mail/testing.ts';
import { handOutLink } from './index.ts';

describe('a link that staff hands out', () => {
  let world: MailWorld;
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());

  it("has an entry in the account's audit log, by staff", async () => {
    const { accountId } = await world.newOwner();
    const oneTimeTokens = createOneTimeTokens(onlyPepper('a pepper for tests'));
    const ports = { ...world, oneTimeTokens, lifetimesMs: linkLifetimes(loadConfig({})) };
    await handOutLink(ports, accountId, context());
    const entries = [];
    for await (const event of world.store.readStream(`login-${uuidOf(accountId)}`))
      entries.push(auditEntryOf(event, emptyChain));
    expect(entries).to.have.lengthOf(1);
    expect(entries[0]).to.deep.include({
      action: 'auth.link_requested',
      account_id: accountId,
      actor_type: 'staff',
      payload: { purpose: 'magic_link' },
    });
  });
});
