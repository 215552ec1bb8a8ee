import { expect } from 'chai';
import { Service } from 'service/client';
import { startMisbehavingServer, until, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** A signal that counts its listeners. */
function countedSignal(): { readonly signal: AbortSignal; readonly listeners: () => number } {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...given);
  };
  return { signal, listeners: () => listeners };
}

describe('a thousand calls of the client', function () {
  this.timeout(60_000);
  let server: MisbehavingServer;
  before(async () => {
    server = await startMisbehavingServer();
  });
  after(() => server.close());

  it('leave no listener on a signal and no timer, however they end', async () => {
    const service = new Service({ baseUrl: server.url, apiKey: 'svc_test_1', maxRetries: 0 });
    const { signal, listeners } = countedSignal();
    const entry = `id: 1\nevent: transcript.entry\ndata: {"index":1}\n\n`;
    const ends = [
      will.json({}),
      will.page(500),
      will.broken,
      will.cut({ a: 1 }),
      will.problem(404, 'not-found'),
    ];
    server.will((response, request) => {
      const isStream = request.headers.accept === 'text/event-stream, application/problem+json;q=0.5';
      const behaviour = isStream ? will.events(entry) : ends[server.received.length % ends.length];
      return behaviour?.(response, request);
    });
    await service.account.me({ signal }).catch(() => undefined);
    const before = timers();
    for (let round = 0; round < 50; round += 1) {
      const calls = Array.from({ length: 20 }, (_each, index) =>
        index === 0
          ? firstOf(service.agents.transcript('agt_1', { signal }))
          : service.account.me({ signal }).catch(() => undefined),
      );
      await Promise.all(calls);
    }
    expect(server.received).to.have.length(1001);
    expect(listeners()).to.equal(0);
    // `fetch` leaves a few of its own, which expire; a leak would leave a thousand.
    await until(() => timers() <= before + 2 && server.open === 0);
  });
});

async function firstOf(entries: AsyncIterable<unknown>): Promise<void> {
  for await (const _entry of entries) return;
}
