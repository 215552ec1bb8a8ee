import { expect } from 'chai';
import { secondFactorEvents, type SecondFactorEvent } from '../../contracts/events/second-factor.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { secondFactor } from '../../domain/second-factor.ts';
import { loadConfig } from '../../infra/config/index.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { onlyPepper } from '../../infra/keys/index.ts';
import { linkLifetimes } from '../../infra/main/composition/settings.ts';
import { toAppend } from '../engine/recording.ts';
import { consoleLinks } from '../mail/index.ts';
import { removeSecondFactor } from '../second-factor/index.ts';
import { newContext } from '../session/testing.ts';
import { signInManagers } from './index.ts';
import { openMailWorld, type MailWorld } from './mail/testing.ts';

describe('mails about a second factor', () => {
  let world: MailWorld;
  let accountId: AccountId;
  let stream: string;
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());
  beforeEach(async () => {
    ({ accountId } = await world.newOwner());
    stream = `second_factor-${uuidOf(accountId)}`;
    const at = world.clock.now().toISOString();
    const enrolled: SecondFactorEvent[] = [
      { type: 'SecondFactorEnrolmentBegun', data: { accountId, sealedSecret: 'sealed', at } },
      { type: 'SecondFactorConfirmed', data: { accountId, step: 1, recoveryCodes: [], at } },
    ];
    await world.store.append(
      stream,
      'no_stream',
      toAppend(secondFactorEvents, enrolled, newContext(accountId)),
    );
  });

  /** Reacts to all events of the second factor, as new processes would. */
  const react = async () => {
    const ports = {
      ...world,
      oneTimeTokens: createOneTimeTokens(onlyPepper('a pepper for tests')),
      link: consoleLinks('https://service.example/console'),
      lifetimesMs: linkLifetimes(loadConfig({})),
    };
    const events: RecordedEvent[] = [];
    for await (const event of world.store.readStream(stream)) events.push(event);
    for (const manager of signInManagers(ports))
      for (const event of events) if (manager.types.includes(event.type)) await manager.handle(event);
  };
  const mails = async () => {
    const templates: string[] = [];
    for await (const { type, data } of world.store.readAll({ prefixes: ['mail-'] })) {
      const queued = data as { readonly accountId?: AccountId; readonly template: string };
      if (type === 'MailQueued' && queued.accountId === accountId) templates.push(queued.template);
    }
    return templates;
  };
  const wrongCodes = async (count: number) => {
    const code = { sealedSecret: 'sealed', step: null, recoveryCodes: [] };
    for (let tries = 0; tries < count; tries += 1) {
      world.clock.advance(3_600_000);
      const at = world.clock.now().toISOString();
      const use = { type: 'UseCode', code, use: 'sign_in', at } as const;
      await world.runner.run(secondFactor, uuidOf(accountId), use, newContext(accountId));
    }
  };

  it('tell the owner once of ten wrong codes in a row', async () => {
    await wrongCodes(9);
    await react();
    expect(await mails()).to.deep.equal([]);
    await wrongCodes(4);
    await react();
    await react();
    expect(await mails()).to.deep.equal(['second-factor-attempts']);
  });

  it('tell the owner that staff has removed it', async () => {
    await removeSecondFactor(world, accountId, newContext(null));
    await react();
    expect(await mails()).to.deep.equal(['second-factor-removed']);
  });
});
