import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { CreateAgentSession } from '../../contracts/resources/agent-session.ts';
import { account } from '../../domain/account.ts';
import { systemPause } from '../../infra/platform/clock.ts';
import { gate } from '../../infra/verification/testbed/index.ts';
import { again, newCaller, newContext, newSessionId, quiet, slugOf, useStore } from '../session/testing.ts';
import type { Caller } from '../engine/context.ts';
import { hold } from './holder.ts';
import { createPersonStarts, type PersonStarts } from './start-for-person.ts';
import { agentWorld, newAgentSessionId, testSettings, type AgentWorld } from './testing.ts';

const opened = useStore();
const address = 'https://shop.example/';
const someone = `customer-${randomUUID()}`;

describe('a person who joins an agent session without a browser in order to drive it', () => {
  let side: AgentWorld;
  let starts: PersonStarts;
  const on = (pause = systemPause) =>
    createPersonStarts({
      ...side.ports,
      sessions: side.world.sessions,
      vault: { open: async (_owner, _field, text) => ({ text: text.slice('sealed '.length) }) },
      ...{ pause, logger: quiet, settings: testSettings },
    });
  const manage = (
    command: 'SuspendAccount' | 'CreateAccount',
    { accountId }: Pick<Caller, 'accountId'> = side.caller,
  ) => {
    const at = side.now();
    return side.world.runner.run(
      account,
      uuidOf(accountId),
      command === 'CreateAccount'
        ? { type: command, accountId, sealedEmail: 'sealed', tier: 'personal', at }
        : { type: command, reason: 'unpaid', at },
      newContext(accountId),
    );
  };
  beforeEach(async () => {
    side = agentWorld(opened.store);
    starts = on();
    await manage('CreateAccount');
  });

  const manual = async (body: CreateAgentSession = {}) =>
    (await side.created({ mode: 'manual', ...body })).id;
  const typesOf = async (id: AgentSessionId) => {
    const types: string[] = [];
    for await (const { type } of opened.store.readStream(`agent_session-${uuidOf(id)}`)) types.push(type);
    return types.slice(1);
  };
  const browserOf = async (id: AgentSessionId): Promise<SessionId> => {
    const { browser } = await side.stateOf(id);
    if (browser === null) throw new Error('It has no browser.');
    return browser.sessionId;
  };
  /** A session named for its browser, as left by a process killed before it requested the browser. */
  const named = async (id: AgentSessionId): Promise<SessionId> => {
    const sessionId = newSessionId();
    const { accountId, context } = side.next();
    await hold(side.ports, { sessionId, agentSessionId: id, accountId, spawned: true }, context);
    await side.decide(id, { type: 'StartDriverSession', sessionId, at: side.now() });
    return sessionId;
  };

  it('gets a browser, which belongs to the agent session from then on and ends with it', async () => {
    const id = await manual();
    await starts.start(id, someone);
    const sessionId = await browserOf(id);
    expect(await typesOf(id)).to.deep.equal(['DriverSessionSpawned']);
    expect(await side.world.eventsOf('session', sessionId)).to.deep.equal([
      'SessionRequested',
      'SessionReady',
    ]);
    expect(await side.holder(sessionId)).to.equal(id);
    await side.agents.close(side.next(), { id, accountId: side.caller.accountId });
    expect(await side.statusOf(sessionId)).to.equal('SessionDestroyed');
  });
  it('shares one start with all others who wait, in this process and in others', async () => {
    const id = await manual();
    await Promise.all([starts, starts, on(), on()].map((each) => each.start(id, someone)));
    expect(side.world.fleet.created).to.deep.equal([await browserOf(id)]);
    expect(await typesOf(id)).to.deep.equal(['DriverSessionSpawned']);
  });
  it('starts it in pair mode, and in manual mode after a change to it, but not in ai mode', async () => {
    const { id: pair } = await side.created({ mode: 'pair' });
    await starts.start(pair, someone);
    expect(await typesOf(pair)).to.deep.equal(['DriverSessionSpawned']);
    const { id, accountId } = await side.created({ mode: 'ai' });
    expect(await slugOf(starts.start(id, someone))).to.equal('not-found');
    await side.agents.changeMode(side.next(), { id, accountId }, 'manual');
    expect(await slugOf(on().start(id, someone))).to.equal('concurrency-limit');
    await side.agents.close(side.next(), { id: pair, accountId });
    await on().start(id, someone);
    expect((await typesOf(id)).slice(-1)).to.deep.equal(['DriverSessionSpawned']);
  });
  it('opens the initial address, once', async () => {
    const id = await manual({ initial_url: address });
    const dispatched = new Promise<void>((resolve) => {
      side.world.fleet.onOperate = async () => {
        resolve();
        return { outcome: 'succeeded', result: {} };
      };
    });
    await starts.start(id, someone);
    await dispatched;
    await starts.start(id, someone);
    expect(await typesOf(id)).to.deep.equal(['DriverSessionSpawned', 'InitialUrlOpened']);
    expect(side.world.fleet.dispatched).to.have.length(1);
  });
  it('learns why none starts, which the agent session records, and cannot retry at once', async () => {
    const id = await manual();
    side.world.fleet.onPlace = async () => undefined;
    expect(await slugOf(starts.start(id, someone))).to.equal('driver-not-integrated');
    expect(await typesOf(id)).to.deep.equal(['DriverSessionSpawned', 'DriverSessionLost', 'ErrorRaised']);
    expect((await side.stateOf(id)).error).to.include({ code: 'driver_not_integrated', retryable: true });
    expect(await slugOf(starts.start(id, someone))).to.equal('driver-not-integrated');
    expect(await typesOf(id)).to.have.length(3);
    // Every process gives the same answer, and starts nothing.
    expect(await slugOf(on().assertStartable(id))).to.equal('driver-not-integrated');
    expect(await typesOf(id)).to.have.length(3);
  });
  it('learns that its profile is gone, and not that the agent session is', async () => {
    const id = newAgentSessionId();
    const { accountId } = side.caller;
    await side.decide(id, {
      ...{ type: 'CreateAgentSession', agentSessionId: id, accountId, createdBy: accountId, mode: 'manual' },
      ...{ tokenBudget: 1000, model: 'a-model', attached: null, proxyId: null, sealedStart: null },
      ...{ profileId: toId('profile', randomUUID()), opensInitialUrl: false, at: side.now() },
    });
    expect(await slugOf(starts.start(id, someone))).to.equal('conflict');
    expect(await slugOf(on().assertStartable(id))).to.equal('conflict');
    expect((await side.stateOf(id)).error?.code).to.equal('not_found');
  });
  it('gets another one if the first has ended', async () => {
    const id = await manual();
    await starts.start(id, someone);
    const first = await browserOf(id);
    await side.world.sessions.destroy(side.next(), { id: first });
    await starts.start(id, someone);
    expect(await browserOf(id)).not.to.equal(first);
    expect(await typesOf(id)).to.deep.equal([
      'DriverSessionSpawned',
      'DriverSessionLost',
      'DriverSessionSpawned',
    ]);
  });
  it('gets no replacement for an attached one', async () => {
    const attached = await side.driverSession();
    const id = await manual({ service_session_id: attached });
    await side.world.sessions.destroy(side.next(), { id: attached });
    await side.upkeep.loseDriverSession(attached, newContext(null));
    expect(await slugOf(starts.start(id, someone))).to.equal('conflict');
  });
  it('waits for a start by another process, and gives it up for good if that process has died', async () => {
    const id = await manual();
    const dead = await named(id);
    side.world.clock.advance(testSettings.startWithinMs);
    // A pause advances the test clock.
    await on(async (ms) => side.world.clock.advance(ms)).start(id, someone);
    expect(await browserOf(id)).not.to.equal(dead);
    expect(await typesOf(id)).to.deep.equal([
      'DriverSessionSpawned',
      'DriverSessionLost',
      'DriverSessionSpawned',
    ]);
    expect(await slugOf(side.world.sessions.create(side.next(), dead, {}))).to.equal('session-timeout');
    expect(side.world.fleet.created).not.to.include(dead);
  });
  it('waits for a start that takes long while its process lives, and joins again', async () => {
    const id = await manual();
    const usual = side.world.fleet.onPlace;
    const placing = gate();
    side.world.fleet.onPlace = async () => {
      await placing.pass();
      return usual();
    };
    const first = starts.start(id, someone);
    await placing.reached;
    const refusal: unknown = await on(async (ms) => side.world.clock.advance(ms))
      .start(id, someone)
      .catch((error: unknown) => error);
    expect(refusal).to.deep.include({ slug: 'feature-unavailable', extensions: { retry_after_seconds: 1 } });
    placing.open();
    await first;
    await on().start(id, someone);
    expect(await typesOf(id)).to.deep.equal(['DriverSessionSpawned']);
    expect(await side.statusOf(await browserOf(id))).to.equal('SessionReady');
  });
  it('leaves no browser if the agent session is closed meanwhile', async () => {
    const id = await manual();
    side.world.fleet.onCreate = async () => {
      await side.agents.close(side.next(), { id, accountId: side.caller.accountId });
      return { outcome: 'succeeded', egress_capabilities: null };
    };
    expect(await slugOf(starts.start(id, someone))).to.equal('session-destroyed');
    const [sessionId] = side.world.fleet.created;
    expect(sessionId && (await side.statusOf(sessionId))).to.equal('SessionDestroyed');
    expect(await browserOf(id)).to.equal(sessionId);
    expect(await slugOf(on().start(id, someone))).to.equal('forbidden');
  });
  it('is asked to join again if the browser ends while it starts, and then gets another one', async () => {
    const id = await manual();
    const usual = side.world.fleet.onCreate;
    side.world.fleet.onCreate = async (sessionId) => {
      await side.world.sessions.destroy(side.next(), { id: sessionId });
      return { outcome: 'succeeded', egress_capabilities: null };
    };
    const refusal: unknown = await starts.start(id, someone).catch((error: unknown) => error);
    expect(refusal).to.deep.include({
      slug: 'feature-unavailable',
      extensions: { retry_after_seconds: 1 },
    });
    expect((await side.stateOf(id)).error).to.equal(null);
    side.world.fleet.onCreate = usual;
    await starts.start(id, someone);
    expect(await side.statusOf(await browserOf(id))).to.equal('SessionReady');
    expect(await typesOf(id)).to.deep.equal([
      'DriverSessionSpawned',
      'DriverSessionLost',
      'DriverSessionSpawned',
    ]);
  });
  it('starts nothing for an account that is suspended', async () => {
    const id = await manual();
    await manage('SuspendAccount');
    expect(await slugOf(starts.start(id, someone))).to.equal('forbidden');
    expect(await typesOf(id)).to.deep.equal([]);
  });
  it('is one of at most eight that wait for the same one', async () => {
    const id = await manual();
    const { pass, open } = gate();
    side.world.fleet.onCreate = async () => {
      await pass();
      return { outcome: 'succeeded', egress_capabilities: null };
    };
    const first = Array.from({ length: 8 }, () => starts.start(id, someone));
    expect(await slugOf(starts.start(id, someone))).to.equal('feature-unavailable');
    open();
    await Promise.all(first);
  });
  it('is admitted however many wait for browsers of another account, of whom sixteen may', async () => {
    const crowd = newCaller();
    await manage('CreateAccount', crowd);
    const crowded = Array.from({ length: 8 }, () => newAgentSessionId());
    for (const each of crowded) await side.agents.create(again(crowd), each, { mode: 'manual' });
    const id = await manual();
    const { pass, open } = gate();
    side.world.fleet.onCreate = async () => {
      await pass();
      return { outcome: 'succeeded', egress_capabilities: null };
    };
    const joins = crowded.flatMap((each) => Array.from({ length: 8 }, () => starts.start(each, someone)));
    const outcomes = Promise.all(
      joins.map((each) =>
        each.then(
          () => 'started',
          (error: unknown) => (error instanceof Refusal ? error.slug : String(error)),
        ),
      ),
    );
    const own = starts.start(id, someone);
    open();
    await own;
    expect((await outcomes).filter((each) => each === 'feature-unavailable')).to.have.length(48);
  });
});
