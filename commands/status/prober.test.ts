import { expect } from 'chai';
import type { ProbeEvent } from '../../contracts/events/probe.ts';
import { statusComponentIds, type StatusComponent } from '../../contracts/status.ts';
import { probeUuid } from '../../domain/probe.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';
import { createRunner, type Runner } from '../engine/runner.ts';
import { quiet, TestClock, useStore } from '../session/testing.ts';
import { createProber, type Prober } from './prober.ts';

const minuteMs = 60_000;

describe('the prober', () => {
  const opened = useStore();
  let clock: TestClock;
  let broken: Set<StatusComponent>;
  /** Of a component that is broken. */
  let message: string;
  let prober: Prober;
  /** The signal of the leader's term. */
  let term: AbortSignal;
  const beginTerm = () => (term = new AbortController().signal);
  /** Ends of the components' streams before the test. */
  let before: number;
  const start = (
    runner: Pick<Runner, 'run'> = createRunner({ store: opened.store, logger: quiet, cacheEntries: 10 }),
  ) =>
    createProber({
      runner,
      clock,
      limitMs: 100,
      probes: Object.fromEntries(
        statusComponentIds.map((id) => [
          id,
          () => (broken.has(id) ? Promise.reject(new Error(message)) : Promise.resolve()),
        ]),
      ) as Record<StatusComponent, () => Promise<void>>,
    });
  const all = async () => {
    const events: ProbeEvent[] = [];
    for await (const { type, data } of opened.store.readStream(`probe-${probeUuid('api')}`))
      events.push({ type, data } as ProbeEvent);
    return events;
  };
  const events = async () => (await all()).slice(before);
  const types = async () => (await events()).map(({ type }) => type);
  const rounds = async (times: number, everyMs = minuteMs / 2) => {
    for (let round = 0; round < times; round += 1) {
      await prober.round(term);
      clock.advance(everyMs);
    }
  };

  beforeEach(async () => {
    clock = new TestClock();
    clock.advance(3_600_000 - (clock.now().getTime() % 3_600_000));
    broken = new Set();
    message = 'It is away.';
    before = (await all()).length;
    prober = start();
    beginTerm();
  });
  /** Every component works when the next test begins. */
  afterEach(async () => {
    broken.clear();
    await rounds(2);
  });

  it('has one event an hour for a component that works', async () => {
    await rounds(120 * 2 + 1);
    expect(await types()).to.deep.equal(['ProbesCounted', 'ProbesCounted']);
    const [first] = await events();
    expect(first?.data).to.include({ component: 'api', probes: 120, failures: 0 });
  });

  it('counts each hour of an outage in which nothing can be recorded, and records them afterwards', async () => {
    let isAway = false;
    const runner = createRunner({ store: opened.store, logger: quiet, cacheEntries: 10 });
    const run: Runner['run'] = (...command) =>
      isAway ? Promise.reject(new EventStoreUnavailable('It is away.')) : runner.run(...command);
    prober = start({ run });
    // No other test counts the probes of this day.
    clock.advance(24 * 60 * minuteMs);
    await rounds(60);
    isAway = true;
    broken.add('api');
    for (let round = 0; round < 3 * 120; round += 1) {
      await prober.round(term).catch(() => undefined);
      clock.advance(minuteMs / 2);
    }
    isAway = false;
    broken.clear();
    await rounds(60 + 1);
    const counted = (await events()).flatMap(({ type, data }) => (type === 'ProbesCounted' ? [data] : []));
    expect(counted.map(({ probes, failures }) => [probes, failures])).to.deep.equal(
      [60, 120, 120, 60].map((failures) => [120, failures]),
    );
  });

  it('reports a component after its second failure in a row, and its recovery after the second success', async () => {
    broken.add('api');
    await rounds(1);
    expect(await types()).to.deep.equal([]);
    await rounds(3);
    expect(await types()).to.deep.equal(['ComponentFailed']);
    broken.clear();
    await rounds(1);
    expect(await types()).to.deep.equal(['ComponentFailed']);
    await rounds(3);
    expect(await types()).to.deep.equal(['ComponentFailed', 'ComponentRecovered']);
  });

  it('reports the first 300 characters of what was wrong, and no half of one', async () => {
    await rounds(1);
    message = `${'x'.repeat(299)}😀`;
    broken.add('api');
    await rounds(2);
    expect((await events()).at(-1)?.data).to.include({ error: `${'x'.repeat(299)}\uFFFD` });
  });

  it('treats a component that never worked as still starting, for half a minute', async () => {
    broken.add('api');
    await rounds(14, 2_000);
    expect(await types()).to.deep.equal([]);
    broken.clear();
    await rounds(3, 2_000);
    await prober.flush();
    expect(await types()).to.deep.equal(['ProbesCounted']);
    const [counted] = await events();
    expect(counted?.data).to.include({ probes: 3, failures: 0 });
  });

  it('reports a component that has not started within half a minute', async () => {
    broken.add('api');
    await rounds(18, 2_000);
    expect(await types()).to.deep.equal(['ComponentFailed']);
  });

  it('grants no such time to a component that has worked', async () => {
    await rounds(1, 2_000);
    broken.add('api');
    await rounds(2, 2_000);
    expect(await types()).to.deep.equal(['ComponentFailed']);
  });

  it('counts a single failure, and does not report it', async () => {
    await rounds(1);
    broken.add('api');
    await rounds(1);
    broken.clear();
    await rounds(2);
    await prober.flush();
    expect((await events()).map(({ type, data }) => ({ type, ...data }))[0]).to.include({
      ...{ type: 'ProbesCounted', probes: 4, failures: 1 },
    });
  });

  it('reports a recovery that happened while no prober ran', async () => {
    broken.add('api');
    await rounds(3);
    broken.clear();
    prober = start();
    await rounds(2);
    expect(await types()).to.deep.equal(['ComponentFailed', 'ComponentRecovered']);
  });

  it('reports a recovery after another process has reported a failure', async () => {
    await rounds(2);
    const here = prober;
    prober = start();
    broken.add('api');
    await rounds(18, 2_000);
    broken.clear();
    prober = here;
    beginTerm();
    await rounds(2);
    expect(await types()).to.deep.equal(['ComponentFailed', 'ComponentRecovered']);
  });

  it('reports two failures in a row only if both are of one term of the leader', async () => {
    await rounds(1);
    broken.add('api');
    await rounds(1);
    beginTerm();
    await rounds(1);
    expect(await types()).to.deep.equal([]);
    await rounds(1);
    expect(await types()).to.deep.equal(['ComponentFailed']);
  });

  it('counts a probe that does not end as a failure', async () => {
    const hanging = createProber({
      runner: createRunner({ store: opened.store, logger: quiet, cacheEntries: 10 }),
      clock,
      limitMs: 20,
      probes: Object.fromEntries(
        statusComponentIds.map((id) => [id, () => new Promise<never>(() => undefined)]),
      ) as Record<StatusComponent, () => Promise<never>>,
    });
    for (let round = 0; round < 3; round += 1) {
      await hanging.round(term);
      clock.advance(minuteMs / 2);
    }
    expect(await types()).to.deep.equal(['ComponentFailed']);
  });
});
