import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import { after } from '../../domain/kit/time.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { loadConfig } from '../../infra/config/index.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import { EventStoreUnavailable, type EventStore } from '../../infra/event-store/client/types.ts';
import { newNoiseSeed } from '../../infra/keys/noise-seed.ts';
import { now, type Caller } from '../engine/context.ts';
import { createRunner, type Runner } from '../engine/runner.ts';
import { again, newCaller, newContext, nodeId, quiet, slugOf, useStore } from '../session/testing.ts';
import { createProfileCommands, type ProfileCommands } from './index.ts';
import { ProfileWorld } from './testing.ts';

describe('a profile that another account accepted during a request of its former owner', () => {
  const stored = useStore();
  let w: ProfileWorld;
  let profiles: ProfileCommands;
  let found: ActiveProfile;
  let taker: Caller;
  beforeEach(async () => {
    w = await ProfileWorld.open(stored.store);
    taker = newCaller('team', 3);
    profiles = commandsOn(w.world.runner);
    await w.saved('a state');
    found = await w.present();
  });

  const commandsOn = (runner: Runner): ProfileCommands =>
    createProfileCommands({
      ...{
        runner,
        clock: w.world.clock,
        newNoiseSeed,
        retentionMs: loadConfig({}).PROFILE_RETENTION,
      },
      archetypes: { default: 'iphone-15', archetypes: [] },
      roleOn: () => Promise.resolve('admin'),
      recordPosition: () => Promise.resolve(),
    });
  const offer = async () => {
    const at = now(w.world);
    const command = {
      type: 'OfferTransfer',
      toAccountId: taker.accountId,
      expiresAt: after(at, 1000),
      at,
    } as const;
    await w.world.runner.run(profile, uuidOf(w.profileId), command, newContext(w.caller.accountId));
  };
  const accepted = async () => {
    await offer();
    const offered = await profiles.findOffered(taker.accountId, w.profileId);
    await profiles.acceptTransfer(again(taker), offered, newContext(taker.accountId));
  };
  const untouched = async () => {
    const { accountId, name, status, use, state } = await w.present();
    expect([accountId, name, status, use.kind, state?.generation]).to.deep.equal([
      ...[taker.accountId, found.name, 'active', 'free', 1],
    ]);
  };

  it('is not changed, trashed or purged by it', async () => {
    await accepted();
    const context = newContext(w.caller.accountId);
    const requests = [
      () => profiles.change(found, { description: 'mine' }, context),
      () => profiles.change(found, { name: 'mine' }, context),
      () => profiles.trash(found, context),
      () => profiles.purge(found, context),
    ];
    for (const request of requests) expect(await slugOf(request())).to.equal('not-found');
    await untouched();
  });

  it('does not start with it', async () => {
    w.world.fleet.onPlace = async () => {
      await accepted();
      return nodeId;
    };
    expect(await slugOf(w.launch())).to.equal('not-found');
    await untouched();
    expect(w.world.fleet.created).to.have.length(1);
  });

  it('is recorded for both accounts, even if the process is killed right after the transfer', async () => {
    const own = `account_profiles-${uuidOf(w.caller.accountId)}`;
    const store: EventStore = {
      ...stored.store,
      append: (stream, ...rest) =>
        stream === own
          ? Promise.reject(new EventStoreUnavailable('The process was killed.'))
          : stored.store.append(stream, ...rest),
    };
    profiles = commandsOn(createRunner({ store, logger: quiet, cacheEntries: 0 }));
    const error = await accepted().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(EventStoreUnavailable);
    const recorded = (await w.events()).slice(-2);
    expect(recorded.map((event) => [event.type, ownerOf(event)])).to.deep.equal([
      ['ProfileHandedOver', w.caller.accountId],
      ['ProfileTransferred', taker.accountId],
    ]);
    await untouched();
  });

  it('keeps its name and share if that request was a transfer to the same account', async () => {
    const { accountId } = taker;
    const create = {
      type: 'CreateAccount',
      accountId,
      sealedEmail: 'sealed',
      tier: 'team',
      at: now(w.world),
    } as const;
    await w.world.runner.run(account, uuidOf(accountId), create, newContext(accountId));
    await accepted();
    const taken = () => w.world.runner.load(accountProfiles, uuidOf(taker.accountId));
    const caller = { ...again(w.caller), actorId: w.caller.accountId };
    expect(await slugOf(profiles.transfer(caller, found, taker.accountId))).to.equal('not-found');
    expect((await taken()).state.reservations.map(({ names }) => names)).to.deep.equal([[found.name]]);
    await untouched();
  });
});
