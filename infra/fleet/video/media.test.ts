import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { Message, RTCPeerConnection } from 'werift';
import { until } from '../../verification/testbed/index.ts';
import { bounds } from './bounds.ts';
import { boundData } from './data-window.ts';
import { openMedia, type Media } from './media.ts';
import { sctpOf, unreadable } from './testing/unreadable-data.ts';

const ice = { addresses: [], ports: [41_000, 41_100] as const, servers: [], peerAllow: [] };

/** The node's own addresses of IPv4 in its description. */
const placesIn = (sdp: string, transport: 'udp' | 'tcp') =>
  [...sdp.matchAll(new RegExp(`a=candidate:\\S+ 1 ${transport} \\d+ ([\\d.]+) (41\\d+) typ host`, 'gi'))].map(
    ([, host = '', port]) => ({ host, port: Number(port) }),
  );

/** Opens connections that send nothing. Returns the function that counts the open ones. */
async function openIdly(sdp: string, count: number) {
  const [place] = placesIn(sdp, 'tcp');
  if (!place) throw new Error('There is no TCP.');
  const open = () => connect(place).on('error', () => undefined);
  const sockets = Array.from({ length: count }, () => open().resume());
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return () => sockets.filter(({ destroyed }) => !destroyed).length;
}

/** A DTLS record with handshake messages of this type, unencrypted: a hello without content, or parts of a certificate. */
function handshakes(type: number, count: number, length: number, part: number): Buffer {
  const message = Buffer.alloc(12 + part);
  message[0] = type;
  message[3] = length;
  message[11] = part;
  const messages = Buffer.concat(Array.from({ length: count }, () => message));
  const header = Buffer.from([
    22,
    254,
    253,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    messages.length >> 8,
    messages.length & 255,
  ]);
  return Buffer.concat([header, messages]);
}

/** A connectivity check without the password, which claims the controlling role. */
const forgedCheck = () =>
  new Message(1, 0)
    .setAttribute('USERNAME', 'x:y')
    .setAttribute('PRIORITY', 1)
    .setAttribute('ICE-CONTROLLING', 2n ** 64n - 1n)
    .addMessageIntegrity(Buffer.from('a guess'))
    .addFingerprint().bytes;

describe('the connections of a participant', function () {
  this.timeout(30_000);
  let media: Media;
  let person: RTCPeerConnection;
  let heard: string[];
  let said: string[];
  let exceeded: number;

  beforeEach(async () => {
    [heard, said, exceeded] = [[], [], 0];
    const nothing = () => undefined;
    const events = {
      connected: nothing,
      failed: nothing,
      keyWanted: nothing,
      canTake: nothing,
      exceeded: () => void (exceeded += 1),
    };
    media = await openMedia(
      ice,
      { ...events, data: (each) => void heard.push(each.toString()) },
      bounds.waiting,
    );
    person = new RTCPeerConnection({ iceServers: [] });
    person.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((message) => void said.push(`${channel.label} ${message.toString()}`));
    });
  });
  afterEach(async () => {
    await Promise.all([media.close(), person.close()]);
  });

  /** Answers with a description of all its addresses, none of which the node accepts. */
  const join = async (change = (sdp: string) => sdp) => {
    const offer = await media.offer('PA_browser|TR_window');
    await person.setRemoteDescription(offer);
    await person.setLocalDescription(await person.createAnswer());
    const sdp = person.localDescription?.sdp ?? '';
    expect(sdp).to.include('a=candidate:').and.include('a=end-of-candidates');
    await media.answered(change(sdp));
    await until(async () => media.isConnected);
    return offer.sdp;
  };

  it('reach one that has named only internal addresses, from which its packets arrive', async () => {
    await join();
  });
  it('use TCP, with data channels, in a network that blocks UDP', async () => {
    await person.close();
    person = new RTCPeerConnection({ iceServers: [], iceUseTcp: true });
    person.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((message) => void said.push(message.toString()));
    });
    const { type, sdp } = await media.offer('PA_browser|TR_window');
    const idle = await openIdly(sdp, 40);
    const byTcp = sdp.split('\r\n').filter((line) => !/^a=candidate:\S+ \d udp /i.test(line));
    expect(byTcp.join()).to.match(/tcp \d+ \S+ 41\d\d\d typ host.* tcptype passive/);
    await person.setRemoteDescription({ type, sdp: byTcp.join('\r\n') });
    await person.setLocalDescription(await person.createAnswer());
    await media.answered(person.localDescription?.sdp ?? '');
    await until(async () => media.isConnected, { limitMs: 20_000 });
    media.message(Buffer.from('by TCP'), false);
    await until(async () => said.includes('by TCP'));
    expect(idle()).to.be.at.most(bounds.ports.sockets);
  });
  it('spend no memory and no descriptors on strangers, and do not answer them', async () => {
    const offered = await join();
    const stranger = createSocket('udp4').unref();
    let answers = 0;
    stranger.on('message', () => void (answers += 1));
    const send = (datagram: Buffer) => {
      for (const { host, port } of placesIn(offered, 'udp')) stranger.send(datagram, port, host);
    };
    const before = process.memoryUsage().heapUsed;
    const [parts, forged] = [handshakes(11, 100, 2, 1), forgedCheck()];
    for (let n = 0; n < 2_000; n += 1) {
      [parts, forged].forEach(send);
      if (n % 10 === 0) await setImmediate();
    }
    send(handshakes(1, 1, 0, 0));
    const idle = await openIdly(offered, 40);
    await until(async () => idle() <= bounds.ports.sockets);
    media.message(Buffer.from('still'), false);
    await until(async () => said.includes('_reliable still'));
    expect(process.memoryUsage().heapUsed - before, 'bytes').to.be.below(48 * 2 ** 20);
    expect(answers).to.equal(0);
    stranger.close();
  });
  it('queue reliable messages in order until they are connected, and drop lossy ones', async () => {
    expect(media.message(Buffer.from('one'), false)).to.equal('sent');
    expect(media.message(Buffer.from('late'), true)).to.equal('dropped');
    expect(media.message(Buffer.from('two'), false)).to.equal('sent');
    await join();
    await until(async () => said.length === 2);
    media.message(Buffer.from('three'), false);
    await until(async () => said.length === 3);
    expect(said).to.deep.equal(['_reliable one', '_reliable two', '_reliable three']);
  });
  it('drop messages that are larger than the participant takes by its description', async () => {
    for (const text of ['too long', 'short']) media.message(Buffer.from(text), false);
    await join((sdp) => sdp.replace(/a=max-message-size:\d+/, 'a=max-message-size:5'));
    await until(async () => said.length > 0);
    for (const isLossy of [false, true])
      expect(media.message(Buffer.from('longer'), isLossy)).to.equal('dropped');
    media.message(Buffer.from('again'), false);
    await until(async () => said.length === 2);
    expect(said).to.deep.equal(['_reliable short', '_reliable again']);
  });
  it('take no further media sections than a library would ever offer', async () => {
    person.createDataChannel('_reliable');
    await person.setLocalDescription(await person.createOffer());
    const own = person.localDescription?.sdp ?? '';
    const section = (name: number) =>
      `m=video 9 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 0.0.0.0\r\na=mid:x${name}\r\na=sendonly\r\na=rtpmap:96 VP8/90000\r\n`;
    for (let name = 0; name < 17; name += 1) {
      expect(exceeded).to.equal(0);
      await media.answer(`${own.trimEnd()}\r\n${section(name)}`);
    }
    expect(exceeded).to.equal(1);
  });
  for (const [name, send] of Object.entries(unreadable))
    it(`ignore ${name}`, async () => {
      // A rejection that nobody handles ends the process of a node, but not that of tests.
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => void unhandled.push(reason);
      process.on('unhandledRejection', note);
      await join();
      media.message(Buffer.from('before'), false);
      await until(async () => said.length === 1);
      await send(sctpOf(person));
      media.message(Buffer.from('after'), false);
      await until(async () => said.length === 2);
      expect(said).to.deep.equal(['_reliable before', '_reliable after']);
      process.off('unhandledRejection', note);
      expect(unhandled).to.deep.equal([]);
    });
  it('limit the queue of reliable messages', () => {
    const large = Buffer.alloc(bounds.waiting.reliable);
    expect([
      media.message(large, false),
      media.message(large, false),
      media.message(large, false),
    ]).to.deep.equal(['sent', 'sent', 'too-slow']);
  });
});

describe('data of a participant', () => {
  let taken: number[];
  let exceeded: number;
  let acknowledged: number;
  let association: ReturnType<typeof associated>;
  const associated = () => ({
    ...{ advertisedRwnd: 1024 * 1024, lastReceivedTsn: 2 ** 32 - 1, sackMisOrdered: new Set<number>() },
    inboundStreams: {} as Record<number, { reassembly: unknown[] }>,
    receiveDataChunk: ({ tsn }: { tsn: number; streamId: number }) => void taken.push(tsn),
    receiveSackChunk: async (_chunk: { gaps: [number, number][] }) => void (acknowledged += 1),
    handleData: async () => undefined,
  });
  beforeEach(() => {
    [taken, exceeded, acknowledged] = [[], 0, 0];
    association = associated();
    const transport = { sctpTransport: { sctp: association } } as unknown as Parameters<typeof boundData>[0];
    boundData(transport, () => (exceeded += 1));
  });
  const comes = (tsn: number, streamId = 0) => association.receiveDataChunk({ tsn, streamId });

  it('is accepted in order, with a limit for chunks that arrive early', () => {
    for (let tsn = 1; tsn <= 1_000; tsn += 1) {
      comes(tsn);
      taken.forEach((each) => association.sackMisOrdered.add(each));
    }
    expect(taken).to.have.length(64);
    // The missing one arrives last, as the numbers wrap around.
    comes(0);
    expect([taken.at(-1), association.advertisedRwnd, exceeded]).to.deep.equal([0, 128 * 1024, 0]);
  });
  it('is refused for a message without an end, in large or small chunks, and for more channels than a library uses', () => {
    association.advertisedRwnd = -128 * 1024 - 1;
    comes(0);
    association.advertisedRwnd = 128 * 1024;
    association.inboundStreams[2] = { reassembly: Array.from({ length: 256 }) };
    comes(0, 2);
    comes(0, 64);
    expect([taken, exceeded]).to.deep.equal([[], 3]);
    comes(0, 63);
    expect([taken, exceeded]).to.deep.equal([[0], 3]);
  });
  it('is acknowledged across gaps, but not across more chunks than can be on their way', async () => {
    await association.receiveSackChunk({ gaps: [[2, 900]] });
    await association.receiveSackChunk({ gaps: Array.from({ length: 900 }, () => [2, 65_535]) });
    expect(acknowledged).to.equal(1);
  });
});
