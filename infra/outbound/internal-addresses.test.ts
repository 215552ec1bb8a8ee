import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard, OutboundRefused } from './guard.ts';
import { createInternalAddresses } from './internal-addresses.ts';

const failing = () => Promise.reject(new Error('The name server is away.'));

describe('what the service itself listens on', () => {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((found = []) =>
    found.map(({ address }) => address),
  );

  it('is closed at every address of this machine where it is on loopback, and no other port is', async () => {
    const internal = createInternalAddresses({ own: ['127.0.0.1:8087', '0.0.0.0:8080'], lookup: failing });
    await internal.fresh();
    for (const address of ['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::ffff:127.0.0.1', ...ownAddresses])
      for (const port of [8087, 8080]) {
        expect(internal.has([address], port), `${address} ${port}`).to.equal(true);
        expect(internal.has([address], port + 1), `${address} ${port + 1}`).to.equal(false);
      }
    expect(internal.has(['192.0.2.1'], 8087)).to.equal(false);
    expect(internal.has(['192.0.2.1', ...ownAddresses], 8087)).to.equal(true);
  });

  it('is known at once where it needs no name server', () => {
    const internal = createInternalAddresses({ own: ['127.0.0.1:1', '[2001:db8::1]:2'], lookup: failing });
    expect(internal.has(['127.0.0.1'], 1)).to.equal(true);
    expect(internal.has(['2001:db8:0::1'], 2)).to.equal(true);
  });

  it('is closed on other machines by address, in whatever spelling, also where it is known by a name', async () => {
    const internal = createInternalAddresses({
      own: ['10.0.0.1:5432', 'events.internal:2113'],
      lookup: async (name) => (name === 'events.internal' ? ['10.0.0.2', '10.0.0.3'] : []),
    });
    await internal.fresh();
    expect(internal.has(['10.0.0.1'], 5432)).to.equal(true);
    expect(internal.has(['::ffff:10.0.0.1'], 5432)).to.equal(true);
    expect(internal.has(['10.0.0.3'], 2113)).to.equal(true);
    expect(internal.has(['10.0.0.3'], 5432)).to.equal(false);
  });

  it('is the last known one while the source is unavailable', async () => {
    let others: () => Promise<readonly string[]> = async () => ['127.0.0.1:9001', 'node.internal:8086'];
    let lookup = async (): Promise<readonly string[]> => ['10.0.0.9'];
    const internal = createInternalAddresses({
      ...{ own: [], maxAgeMs: 0 },
      others: () => others(),
      lookup: () => lookup(),
    });
    await internal.fresh();
    others = failing;
    lookup = failing;
    await internal.fresh();
    expect(internal.has(['127.0.0.1'], 9001)).to.equal(true);
    expect(internal.has(['10.0.0.9'], 8086)).to.equal(true);
    others = async () => ['127.0.0.1:9002'];
    await internal.fresh();
    expect([9001, 9002].map((port) => internal.has(['127.0.0.1'], port))).to.deep.equal([false, true]);
  });

  it('is refused to customers whatever is open to them, and the rest of the range is not', async () => {
    const guard = createOutboundGuard({
      allow: parseAllowList('0.0.0.0/0,::/0'),
      internal: createInternalAddresses({
        own: ['127.0.0.1:8087'],
        others: () => ['10.0.0.2:8086'],
        lookup: failing,
      }),
      lookup: async (name) => [name === 'far.test' ? '10.0.0.2' : '127.0.0.1'],
    });
    for (const url of ['http://127.0.0.1:8087/metrics', 'http://localhost:8087/', 'https://[::1]:8087/'])
      expect(() => guard.checkUrl(url), url).to.throw(OutboundRefused, "the service's own");
    for (const [host, port] of [
      ['near.test', 8087],
      ['far.test', 8086],
    ] as const) {
      const error = await guard.resolve(host, port).catch((failure: unknown) => failure);
      expect(error, host).to.be.instanceOf(OutboundRefused);
      expect(await guard.resolve(host, port + 10)).to.have.length(1);
    }
    expect(guard.checkUrl('http://127.0.0.1:8090/').port).to.equal('8090');
  });
});
