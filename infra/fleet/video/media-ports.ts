import type { Server, Socket } from 'node:net';
import type * as werift from 'werift';
import { bounds, createAllowance } from './bounds.ts';

type Library = Pick<typeof werift, 'isDtls' | 'isStunMessage' | 'parseMessage'>;
type Source = readonly [host: string, port: number];
type Take = (data: Buffer, from: Source) => void;

/** Private fields of an ICE agent (RFC 8445) in `werift`. */
interface Agent {
  readonly localPassword: string;
  /** Passwords by user name, with those before a restart. */
  readonly userHistory: Readonly<Record<string, string>>;
  readonly remoteCandidates: readonly unknown[];
  /** Checks that came before the participant's description. */
  readonly earlyChecks: readonly unknown[];
  readonly checkList: readonly { readonly requestTransactionIds: Set<string> }[];
  /** Asked for the node's public address before any description is ready; by default one of Google's. */
  stunServer?: readonly [host: string, port: number] | undefined;
  addRemoteCandidate(candidate: unknown): Promise<void>;
  ensureProtocol(port: Port): void;
}

/** A UDP socket of an agent, or a TCP port with its connections. */
interface Port {
  /** The agent's unanswered requests by their ids. */
  readonly transactions: Readonly<Record<string, unknown>>;
  readonly server?: Server;
  datagramReceived?: Take;
  handleFrame?: Take;
}

interface Transport {
  readonly iceTransport: { readonly connection: Agent };
  readonly dtls?: { readonly connected: boolean };
}

const limits = bounds.ports;
const bounded = new WeakSet<Agent>();

/**
 * Limits what the ports of a connection accept. Must be called before any port is open, and again after each
 * description, which may have added ports.
 *
 * `werift` accepts everything from everyone. It stores the sender of each check (RFC 8445, 7.3), whatever its password,
 * and passes everything else to DTLS, which stores incomplete fragments without limit and restarts at an unencrypted
 * hello. Here packets from an address are only accepted once it has sent a check with the password in the node's
 * description, which only the participant knows.
 */
export function boundPorts(
  connection: Pick<werift.RTCPeerConnection, 'dtlsTransports'>,
  library: Library,
): void {
  for (const transport of connection.dtlsTransports as unknown as readonly Transport[]) {
    const agent = transport.iceTransport.connection;
    if (bounded.has(agent)) continue;
    bounded.add(agent);
    // The operator names the node's public addresses.
    agent.stunServer = undefined;
    const peers = peersOf(agent, library);
    const records = recordsFor(transport);
    const mayReport = createAllowance(bounds.reports.datagrams);
    const add = agent.addRemoteCandidate.bind(agent);
    agent.addRemoteCandidate = async (candidate) => {
      if (agent.remoteCandidates.length < limits.named) await add(candidate);
    };
    const open = agent.ensureProtocol.bind(agent);
    agent.ensureProtocol = (port) => {
      open(port);
      if (port.server) boundSockets(port.server, peers.has);
      const admitted = (data: Buffer, address: string): Buffer | undefined => {
        if (data.length > limits.datagramBytes) return undefined;
        if (library.isStunMessage(data))
          return (isRequest(data) ? peers.check(data, address) : isAwaited(data, port)) ? data : undefined;
        if (!peers.has(address)) return undefined;
        if (library.isDtls(data)) return records(data);
        return isReport(data) && mayReport() ? data : undefined;
      };
      const name = port.handleFrame ? 'handleFrame' : 'datagramReceived';
      const take = port[name]?.bind(port);
      port[name] = (data, from) => {
        const passed = admitted(data, from.join(':'));
        if (passed) take?.(passed, from);
      };
    };
  }
}

/** Whether it is RTCP (RFC 5761, 4). Participants publish no media, so their RTP is dropped. */
const isReport = ([, type = 0]: Buffer): boolean => type >= 192 && type <= 208;

/** The class of a STUN message (RFC 8489, 5). */
const isRequest = (data: Buffer): boolean => (data.readUInt16BE(0) & 0x0110) === 0;

/** Whether it has the id of an unanswered request, which `werift` compares with the password of the other end. */
const isAwaited = (data: Buffer, { transactions }: Port): boolean =>
  Object.hasOwn(transactions, data.toString('hex', 8, 20));

/** The addresses, as `host:port`, that have sent a check with the node's password. */
function peersOf(agent: Agent, { parseMessage }: Library) {
  /** In the order of their last checks, the oldest first. */
  const addresses = new Set<string>();
  const mayCheck = createAllowance(limits.checks);
  const isSigned = (data: Buffer): boolean => {
    const names: unknown = parseMessage(data)?.getAttributeValue('USERNAME');
    if (typeof names !== 'string') return false;
    const [name = ''] = names.split(':');
    const former = Object.hasOwn(agent.userHistory, name) ? agent.userHistory[name] : undefined;
    return parseMessage(data, Buffer.from(former ?? agent.localPassword)) !== undefined;
  };
  return {
    has: (address: string): boolean => addresses.has(address),
    /** Whether the check is accepted. If so, its address becomes one of the participant's. */
    check(data: Buffer, address: string): boolean {
      if (!isSigned(data) || !mayCheck() || agent.earlyChecks.length >= limits.named) return false;
      if (!addresses.delete(address) && agent.remoteCandidates.length >= limits.addresses) return false;
      addresses.add(address);
      for (const oldest of [...addresses].slice(0, -limits.addresses)) addresses.delete(oldest);
      // `werift` only needs their number, but stores each.
      for (const { requestTransactionIds: ids } of agent.checkList)
        if (ids.size > limits.checks.burst) ids.clear();
      return true;
    },
  };
}

/** Fields of the header of a DTLS record (RFC 6347, 4.1). */
const header = { bytes: 13, epoch: 3, length: 11 };
const handshakeType = 22;

function* recordsOf(datagram: Buffer): Generator<Buffer> {
  for (let at = 0; at + header.bytes <= datagram.length;) {
    const end = at + header.bytes + datagram.readUInt16BE(at + header.length);
    if (end > datagram.length) return;
    yield datagram.subarray(at, end);
    at = end;
  }
}

/**
 * Returns a function that reduces a datagram to its accepted records; undefined if there are none. Unencrypted records
 * are accepted until the handshake is complete. A participant may repeat its last flight after that; its encrypted
 * record is accepted then, and suffices for an answer.
 */
function recordsFor(transport: Transport): (datagram: Buffer) => Buffer | undefined {
  let handshakeBytes = 0;
  const isTaken = (record: Buffer): boolean => {
    if (transport.dtls?.connected === true && record.readUInt16BE(header.epoch) === 0) return false;
    if (record[0] !== handshakeType) return true;
    handshakeBytes += record.length;
    return handshakeBytes <= limits.handshakeBytes;
  };
  return (datagram) => {
    const taken = [...recordsOf(datagram)].slice(0, limits.records).filter(isTaken);
    return taken.length > 0 ? Buffer.concat(taken) : undefined;
  };
}

/**
 * Limits the connections to a TCP port. Above the limit, the oldest connection without a check by password is closed,
 * so that strangers cannot keep a participant out.
 */
function boundSockets(server: Server, isPeer: (address: string) => boolean): void {
  /** The address of each socket, the oldest first. */
  const open = new Map<Socket, string>();
  const strangers = () => [...open].flatMap(([socket, address]) => (isPeer(address) ? [] : [socket]));
  // Accepting fails while the process has no descriptor left.
  server.on('error', () => undefined);
  server.on('connection', (socket) => {
    const address = `${socket.remoteAddress}:${socket.remotePort}`;
    const endStranger = () => {
      if (!isPeer(address)) socket.destroy();
    };
    const timer = setTimeout(endStranger, limits.strangerMs).unref();
    open.set(socket, address);
    // After the listener of `werift`, which has taken the frames.
    socket.on('data', () => {
      if (socket.bytesRead > limits.datagramBytes) endStranger();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      open.delete(socket);
    });
    if (open.size > limits.sockets) (strangers()[0] ?? socket).destroy();
  });
}
