import { expect } from 'chai';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import type { Position } from '../event-store/client/types.ts';
import { createSimulatedDriver } from '../fleet/simulated/index.ts';
import { grammar } from '../model/grammar/grammar.ts';
import { createOutboundGuard } from '../outbound/guard.ts';
import { systemClock } from '../platform/clock.ts';
import { messageOf } from '../platform/error-message.ts';
import { agentProbe, browsingProbe } from './browsing.ts';
import { lagProbe } from './lag.ts';
import { createSelfDelivery } from './self-delivery.ts';

const outcomeOf = (probe: () => Promise<unknown>): Promise<string> =>
  probe().then(() => 'succeeded', messageOf);

describe('the probes', () => {
  const [archetype] = archetypeCatalogue.archetypes;
  if (archetype === undefined) throw new Error('The catalogue is empty.');
  const driver = createSimulatedDriver({ guard: createOutboundGuard() });

  it('drive a simulated page from its launch to its end', async () => {
    expect(await outcomeOf(browsingProbe({ driver, archetype }))).to.equal('succeeded');
    const broken = { launch: () => Promise.reject(new Error('no browser')) };
    expect(await outcomeOf(browsingProbe({ driver: broken, archetype }))).to.equal('no browser');
  });

  it('have a message carried out as an agent would', async () => {
    expect(await outcomeOf(agentProbe({ driver, archetype, grammar }))).to.equal('succeeded');
    const mute = () => ({ covers: false, understood: [], rest: '' }) as const;
    expect(await outcomeOf(agentProbe({ driver, archetype, grammar: mute }))).to.contain('not understood');
  });

  it('deliver to themselves, again and again', async () => {
    const delivery = createSelfDelivery({ clock: systemClock, timeoutMs: 2_000 });
    try {
      for (let times = 0; times < 3; times += 1)
        expect(await outcomeOf(() => delivery.probe())).to.equal('succeeded');
    } finally {
      await delivery.close();
    }
  });

  it('miss a delivery that cannot be sent', async () => {
    const delivery = createSelfDelivery({ clock: systemClock, timeoutMs: 2_000 });
    await delivery.probe();
    await delivery.close();
    expect(await outcomeOf(() => delivery.probe())).not.to.equal('succeeded');
  });

  it('find a follower too far behind once an event was not reached for longer than the limit', async () => {
    const at = (commit: bigint): Position => ({ commit, prepare: commit });
    let [now, end, reached] = [0, 1n, 1n];
    const probe = lagProbe({
      end: () => Promise.resolve(at(end)),
      reached: () => Promise.resolve(at(reached)),
      limitMs: 10_000,
      now: () => now,
    });
    const after = (ms: number) => {
      now += ms;
      return outcomeOf(probe);
    };
    expect(await after(0)).to.equal('succeeded');
    end = 5n;
    expect(await after(30_000)).to.equal('succeeded');
    expect(await after(10_000)).to.equal('succeeded');
    expect(await after(1)).to.contain('not readable');
    // Later events have their own time limit.
    [reached, end] = [5n, 9n];
    expect(await after(1)).to.equal('succeeded');
    reached = 9n;
    expect(await after(60_000)).to.equal('succeeded');
  });
});
