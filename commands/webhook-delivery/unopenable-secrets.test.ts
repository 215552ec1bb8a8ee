import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../contracts/ids.ts';
import { openStore } from '../session/testing.ts';
import { createDeliveriesWorld } from './testing.ts';
import { UnopenableSecrets } from './receivers.ts';

const webhookId = toId('webhook', '0197f1a0-0000-7000-8000-000000000001');
const other = toId('webhook', '0197f1a0-0000-7000-8000-000000000002');
const minutes = (count: number): number => count * 60_000;

describe('an endpoint whose secrets cannot be opened', () => {
  let nowMs: number;
  let tries: number;
  let logged: string[];
  let unopenable: UnopenableSecrets;
  beforeEach(() => {
    [nowMs, tries, logged] = [0, 0, []];
    const write = (line: string) => {
      const { level, webhook, err } = JSON.parse(line) as Record<string, unknown>;
      const reason = (err as { message?: string } | undefined)?.message ?? '';
      logged.push(
        [level === 40 ? 'warn' : 'info', webhook === webhookId ? 'one' : 'other', reason].join(' ').trim(),
      );
    };
    unopenable = new UnopenableSecrets({
      now: () => nowMs,
      random: () => 0,
      onUnopenable: () => (tries += 1),
      logger: pino({}, { write }),
    });
  });

  it('is tried after 5 seconds and then less and less often, at last every ten minutes', () => {
    const waits = Array.from({ length: 10 }, () => {
      const waitMs = unopenable.add(webhookId, new Error('key 2'));
      nowMs += waitMs;
      return waitMs / 1000;
    });
    expect(waits).to.deep.equal([5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
    expect(tries).to.equal(10);
  });

  it('is not tried meanwhile by any of its deliveries; other endpoints are', () => {
    for (let i = 0; i < 5; i += 1) unopenable.add(webhookId, new Error('key 2'));
    expect(unopenable.waitMs(webhookId)).to.equal(80_000);
    expect(unopenable.waitMs(other)).to.equal(undefined);
    nowMs = 79_000;
    expect(unopenable.waitMs(webhookId)).to.equal(5000);
    nowMs = 80_000;
    expect(unopenable.waitMs(webhookId)).to.equal(undefined);
  });

  it('is logged once per reason, and when it ends', () => {
    for (let i = 0; i < 3; i += 1) unopenable.add(webhookId, new Error('key 2'));
    unopenable.add(other, new Error('key 2'));
    for (let i = 0; i < 3; i += 1) unopenable.add(webhookId, new Error('no key'));
    unopenable.end(webhookId);
    unopenable.end(webhookId);
    expect(logged).to.deep.equal(['warn one key 2', 'warn other key 2', 'warn one no key', 'info one']);
    expect(unopenable.add(webhookId, new Error('no key'))).to.equal(5000);
    expect(logged).to.have.length(5);
  });

  it('keeps its deliveries in the queue, untried, whatever wakes them, and sends them once it can', async () => {
    const opened = await openStore();
    try {
      const world = createDeliveriesWorld(opened.store);
      const endpoint = await world.endpoint();
      const ids = [await world.delivery(endpoint), await world.delivery(endpoint)];
      let isOpenable = false;
      let opens = 0;
      const open = async () => {
        opens += 1;
        if (!isOpenable) throw new Error('wrapped by another master key');
        return { text: 'secret' };
      };
      const worker = world.worker({ vault: { open }, now: () => nowMs });
      const wake = async (): Promise<number[]> => {
        const answers = await Promise.all([...ids, ...ids].map((id) => worker.attempt(id, 1)));
        return answers.map((answer) => (answer?.again.getTime() ?? 0) - world.clock.now().getTime());
      };
      for (let round = 1; round <= 8; round += 1) {
        for (const waitMs of await wake()) expect(waitMs).to.be.at.least(5000);
        await wake();
        expect(opens).to.equal(round);
        nowMs += minutes(10);
      }
      expect(world.sent).to.deep.equal([]);
      isOpenable = true;
      await wake();
      expect(world.sent).to.have.length(2);
    } finally {
      await opened.close();
    }
  });
});
