import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Message, isDtls, isStunMessage, parseMessage } from 'werift';
import { bounds } from './bounds.ts';
import { boundPorts } from './media-ports.ts';

const { ports: limits } = bounds;
type Source = [host: string, port: number];

/** A connectivity check; without a password it is not signed. */
function check(password?: string, user = 'node:person', id = Buffer.alloc(12)): Buffer {
  const request = new Message(1, 0, id).setAttribute('USERNAME', user).setAttribute('PRIORITY', 1);
  if (password !== undefined) request.addMessageIntegrity(Buffer.from(password));
  return request.addFingerprint().bytes;
}

/** A DTLS record. */
function record(type: number, epoch: number, bytes: number): Buffer {
  const made = Buffer.alloc(13 + bytes, type);
  made.writeUInt16BE(epoch, 3);
  made.writeUInt16BE(bytes, 11);
  return made;
}

/** A packet of RTCP. */
const report = (bytes: number): Buffer => Buffer.alloc(bytes, 0xc9).fill(0x80, 0, 1);

describe('the media ports of a connection', () => {
  const person: Source = ['203.0.113.1', 5000];
  let taken: string[];
  let candidates: unknown[];
  let dtls: { connected: boolean };
  let port: { transactions: Record<string, unknown>; datagramReceived: (data: Buffer, from: Source) => void };
  let agent: ReturnType<typeof agentOf>;

  const agentOf = () => ({
    localPassword: 'now',
    userHistory: { before: 'former' },
    remoteCandidates: candidates,
    earlyChecks: [] as unknown[],
    checkList: [{ requestTransactionIds: new Set<string>() }],
    addRemoteCandidate: async (candidate: unknown) => void candidates.push(candidate),
    ensureProtocol: (_port: unknown): void => undefined,
    stunServer: ['stun.example', 3478] as unknown,
  });
  beforeEach(() => {
    [taken, candidates, dtls] = [[], [], { connected: false }];
    agent = agentOf();
    port = {
      transactions: {},
      datagramReceived: (data, from) => void taken.push(`${data.length} of ${from[1]}`),
    };
    const transports = [{ iceTransport: { connection: agent }, dtls }];
    const connection = { dtlsTransports: transports } as unknown as Parameters<typeof boundPorts>[0];
    const library = { isDtls, isStunMessage, parseMessage };
    boundPorts(connection, library);
    boundPorts(connection, library);
    agent.ensureProtocol(port);
  });
  /** The number of these datagrams that are accepted. */
  const takes = (datagrams: readonly Buffer[], from = person): number => {
    const before = taken.length;
    for (const datagram of datagrams) port.datagramReceived(datagram, from);
    return taken.length - before;
  };

  it('accept nothing from an address before it has sent a check with the password', () => {
    const media = report(40);
    const unsigned = [check(), check(''), check('wrong'), check('former')];
    expect(takes([...unsigned, record(22, 0, 20), media])).to.equal(0);
    expect(takes([check('now'), media, record(23, 1, 20)])).to.equal(3);
    expect(takes([media, record(22, 0, 20)], ['203.0.113.1', 5001])).to.equal(0);
    expect(takes([check('former', 'before:person'), media], ['203.0.113.2', 5000])).to.equal(2);
    expect(takes([check('wrong', '__proto__:x'), media], ['203.0.113.3', 5000])).to.equal(0);
  });
  it('accept reports up to a rate, and no media', () => {
    takes([check('now')]);
    expect(takes(Array.from({ length: 1_000 }, () => report(40)))).to.be.within(200, 400);
    expect(takes([Buffer.alloc(40, 0x80)])).to.equal(0);
  });
  it('ask no server for their address', () => {
    expect(agent.stunServer).to.equal(undefined);
  });
  it('accept the answer to a request of their own from any address', () => {
    const id = Buffer.alloc(12, 7);
    const answer = new Message(1, 0x100, id).setAttribute('SOFTWARE', 'x').bytes;
    expect(takes([answer])).to.equal(0);
    port.transactions[id.toString('hex')] = {};
    expect(takes([answer])).to.equal(1);
  });
  it('limit addresses, candidates, and checks before the description', async () => {
    for (let named = 0; named < 200; named += 1) await agent.addRemoteCandidate({});
    expect(candidates).to.have.length(limits.named);
    for (let from = 1; from <= 200; from += 1)
      if (takes([check('now')], ['203.0.113.1', from]) > 0) candidates.push({});
    expect(candidates).to.have.length(limits.addresses);
    expect(takes([check('now')], ['203.0.113.1', 1])).to.equal(1);
    agent.earlyChecks.push(...Array.from({ length: limits.named }));
    expect(takes([check('now')], ['203.0.113.1', 1])).to.equal(0);
  });
  it('accept checks up to a rate, and keep a limited number of their ids', () => {
    const [{ requestTransactionIds: ids } = { requestTransactionIds: new Set<string>() }] = agent.checkList;
    for (let n = 0; n <= limits.checks.burst; n += 1) ids.add(String(n));
    const checks = Array.from({ length: 2 * limits.checks.burst }, () => check('now'));
    expect(takes(checks)).to.be.within(limits.checks.burst, 1.9 * limits.checks.burst);
    expect(ids.size).to.equal(0);
    expect(takes([check('wrong')], ['203.0.113.9', 1])).to.equal(0);
  });
  it('accept only the encrypted records of a repeated flight once they are connected', () => {
    takes([check('now')]);
    const flight = Buffer.concat([record(22, 0, 100), record(20, 0, 1), record(22, 1, 40)]);
    expect(takes([flight])).to.equal(1);
    dtls.connected = true;
    expect(takes([flight, record(22, 0, 100), record(21, 0, 2), record(40, 0, 2)])).to.equal(1);
    expect(taken.slice(-2)).to.deep.equal([`${flight.length} of 5000`, `${13 + 40} of 5000`]);
  });
  it('limit the bytes of a handshake and the records and bytes of a datagram, and refuse partial records', () => {
    takes([check('now')]);
    const small = Array.from({ length: 40 }, () => record(20, 0, 1));
    expect(takes([Buffer.concat(small), report(limits.datagramBytes + 1)])).to.equal(1);
    expect(taken.at(-1)).to.equal(`${14 * limits.records} of 5000`);
    expect(takes([record(22, 0, 100).subarray(0, 50)])).to.equal(0);
    const fragments = Array.from({ length: 1_000 }, () => record(22, 0, 987));
    expect(takes(fragments)).to.equal(Math.floor(limits.handshakeBytes / 1_000));
    expect(takes([record(23, 1, 987)])).to.equal(1);
  });
  it('close the oldest of too many connections without a check, and one that sends too much before its check', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    const tcp = { transactions: {}, server, handleFrame: (_frame: Buffer, _from: Source): void => undefined };
    agent.ensureProtocol(tcp);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const place = server.address() as AddressInfo;
    const enter = async () => {
      const socket = connect(place.port, place.address)
        .on('error', () => undefined)
        .resume();
      const accepted = once(server, 'connection');
      await once(socket, 'connect');
      await accepted;
      return { socket, closed: once(socket, 'close') };
    };
    const first = await enter();
    tcp.handleFrame(check('now'), ['127.0.0.1', first.socket.localPort ?? 0]);
    const others = [];
    for (let n = 0; n < limits.sockets; n += 1) others.push(await enter());
    await others[0]?.closed;
    const last = others.at(-1);
    last?.socket.write(Buffer.alloc(2 * limits.datagramBytes));
    await last?.closed;
    const open = [first, ...others].filter(({ socket }) => !socket.destroyed);
    expect(open).to.deep.equal([first, ...others.slice(1, -1)]);
    for (const { socket } of open) socket.destroy();
    server.close();
  });
});
