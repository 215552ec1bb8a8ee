import { expect } from 'chai';
import { SignJWT } from 'jose';
import { WebSocket } from 'ws';
import type { SessionId } from '../../../contracts/ids.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { until } from '../../verification/testbed/index.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { startStates } from '../testing/states.ts';
import type { Driver } from './driver.ts';
import { followReports } from './follow-reports.ts';
import { videoKeyOf } from './identity.ts';

const simulated = createSimulatedDriver({ guard: createOutboundGuard(), hasWindow: true });
/** A driver on whose machine no encoder starts. */
const driver: Driver = {
  ...simulated,
  launch: async (...how) => ({
    ...(await simulated.launch(...how)),
    show: () => Promise.reject(new Error('There is no encoder.')),
  }),
};
const liveView = {
  wsUrl: 'ws://gateway.test/video',
  ice: { addresses: [], ports: [40_000, 40_100], servers: [], peerAllow: [] },
} as const;

describe('the warnings about a browser', () => {
  let world: Awaited<ReturnType<typeof startStates>>;
  let on: Awaited<ReturnType<typeof world.addNode>>;
  let session: SessionId;
  let sockets: WebSocket[];
  beforeEach(async () => {
    sockets = [];
    world = await startStates();
    on = await world.addNode({ driver, liveView });
    ({ session } = await on.create(undefined));
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.terminate());
    await world.stop();
  });

  /** Joins, and waits for the message that there is no picture. */
  const watch = async () => {
    const { api_key, api_secret } = videoKeyOf(on.credential);
    const token = await new SignJWT({ video: { room: session, roomJoin: true }, session, right: 'watch' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(api_key)
      .setSubject(`customer-${sockets.length}`)
      .setExpirationTime('1m')
      .sign(new TextEncoder().encode(api_secret));
    const socket = new WebSocket(`${on.node.url.replace('http', 'ws')}/video/frames?access_token=${token}`);
    sockets.push(socket);
    let text = '';
    socket.on('message', (data: Buffer) => (text += data.toString()));
    await until(() => text.includes('"picture"'));
  };
  const warnings = async (count: number) => {
    await until(() => world.reports.length >= count);
    return world.reports.map((report) =>
      report.kind === 'egress_capabilities' ? report.capabilities.warnings : report.kind,
    );
  };

  it('include that it cannot be shown, once, beside a later one', async () => {
    await watch();
    expect(await warnings(1)).to.deep.equal([['streaming_failed']]);
    await watch();
    await on.visit(session, '/dead-proxy');
    expect(await warnings(2)).to.deep.equal([['streaming_failed'], ['streaming_failed', 'dead_proxy']]);
  });
  it('lose one that the browser reports no more, and keep that it cannot be shown', () => {
    const told: (readonly string[])[] = [];
    let detect: (...warnings: readonly string[]) => void = () => undefined;
    const none = { udp_associate: false, dns_remote_resolve: false, quic_route: 'none', warnings: [] };
    const warn = followReports(
      {
        egressCapabilities: none,
        onReport: (listener) =>
          (detect = (...warnings) =>
            listener({ kind: 'egress_capabilities', capabilities: { ...none, warnings: [...warnings] } })),
      },
      (report) => told.push(report.kind === 'egress_capabilities' ? report.capabilities.warnings : []),
    );
    detect('dead_proxy');
    warn('streaming_failed');
    detect();
    warn('streaming_failed');
    detect('dead_proxy');
    expect(told).to.deep.equal([
      ['dead_proxy'],
      ['dead_proxy', 'streaming_failed'],
      ['streaming_failed'],
      ['streaming_failed', 'dead_proxy'],
    ]);
  });
  it('include that it cannot be shown beside an earlier one', async () => {
    await on.visit(session, '/dead-proxy');
    await watch();
    expect(await warnings(2)).to.deep.equal([['dead_proxy'], ['dead_proxy', 'streaming_failed']]);
  });
});
