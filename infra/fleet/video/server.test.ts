import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { SessionDescription, SignalRequest, SignalResponse } from '@livekit/protocol';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { toId } from '../../../contracts/ids.ts';
import { longestTypedText } from '../../../contracts/resources/pair-mode.ts';
import { until } from '../../verification/testbed/index.ts';
import type { PictureListener, ShowPicture } from '../node/picture.ts';
import { bounds } from './bounds.ts';
import type { Participant } from './room.ts';
import { VideoServer } from './server.ts';

const key = { api_key: toId('node', randomUUID()), api_secret: 's'.repeat(40) };
const session = toId('session', randomUUID());
const room = toId('agentSession', randomUUID());
const secretOf = (text: string) => new TextEncoder().encode(text);

function tokenOf(about: Record<string, unknown> = {}, { secret = key.api_secret, until: end = '1m' } = {}) {
  const { sub = `customer-${randomUUID()}`, iss = key.api_key, ...claims } = about;
  return new SignJWT({ video: { room, roomJoin: true }, session, right: 'control', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(String(iss))
    .setSubject(String(sub))
    .setExpirationTime(end)
    .sign(secretOf(secret));
}

describe('the rooms of a node', () => {
  let video: VideoServer;
  let http: Server;
  let base: string;
  let encoders: PictureListener[];
  let told: { event: string; who: Participant; topic?: string; text?: string }[];
  let sockets: WebSocket[];

  const show: ShowPicture = async (_kind, listener) => {
    encoders.push(listener);
    const size = { width: 390, height: 664 };
    const nothing = () => undefined;
    return { size, key: nothing, bitrate: nothing, processorSeconds: () => 0, close: async () => undefined };
  };
  beforeEach(async () => {
    [encoders, told, sockets] = [[], [], []];
    video = new VideoServer({
      ...{ key, logger: pino({ level: 'silent' }) },
      ice: { addresses: [], ports: [40_000, 40_100], servers: [], peerAllow: [] },
      showOf: (of) => (of === session ? show : undefined),
      open: () => ({
        joined: (who) => void told.push({ event: 'joined', who }),
        left: (who, why) => void told.push({ event: why, who }),
        attributes: (who) => void told.push({ event: 'attributes', who }),
        data: (who, topic, payload) =>
          void told.push({ event: 'data', who, topic, text: Buffer.from(payload).toString() }),
      }),
    });
    http = createServer().on('upgrade', video.upgrade).listen(0, '127.0.0.1');
    await once(http, 'listening');
    base = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.terminate());
    await video.close();
    http.close();
  });

  const open = (token: string, path = '/video/frames') => {
    const socket = new WebSocket(`${base}${path}?access_token=${token}`);
    sockets.push(socket);
    const texts: string[] = [];
    const pictures: Buffer[] = [];
    let closed: number | undefined;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) pictures.push(data);
      else texts.push(data.toString());
    });
    socket.on('close', (code) => (closed = code));
    return { socket, texts, pictures, closed: () => until(async () => closed ?? false) };
  };
  /** The status of the answer to a refused upgrade. */
  const refusedWith = async (token: string, path?: string): Promise<number> => {
    const { socket } = open(token, path);
    const [, { statusCode }] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    socket.on('error', () => undefined);
    return statusCode;
  };
  const joined = async (about: Record<string, unknown> = {}, path?: string) => {
    const one = open(await tokenOf(about), path);
    await once(one.socket, 'open');
    return one;
  };
  const say = ({ socket }: { socket: WebSocket }, topic: string, text: string) =>
    socket.send(JSON.stringify({ topic, payload: Buffer.from(text).toString('base64') }));
  const events = (event: string) => told.filter((each) => each.event === event);

  it('admit only tokens of this node for a browser that runs on it', async () => {
    const statuses = [
      await refusedWith(''),
      await refusedWith('x'.repeat(5_000)),
      await refusedWith(await tokenOf({}, { secret: 'another'.repeat(6) })),
      await refusedWith(await tokenOf({}, { until: '-1h' })),
      await refusedWith(await tokenOf({ iss: toId('node', randomUUID()) })),
      await refusedWith(await tokenOf({ right: 'everything' })),
      await refusedWith(await tokenOf({ session: 'ses_1' })),
      await refusedWith(await tokenOf({ session: toId('session', randomUUID()) })),
      await refusedWith(await tokenOf(), '/video/else'),
    ];
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 401, 401, 404, 404]);
    expect([told, encoders]).to.deep.equal([[], []]);
  });
  it('show pictures, report their number each second, and pass on messages', async () => {
    const one = await joined({ link: 'lnk_1', right: 'watch' });
    await until(async () => encoders.length === 1);
    encoders[0]?.unit(Buffer.from('a picture'));
    await until(async () => one.pictures.length === 1);
    say(one, 'input', 'words');
    await until(async () => events('data').length === 1);
    expect(events('data')[0]).to.include({ topic: 'input', text: 'words' });
    expect(events('data')[0]?.who).to.include({ right: 'watch', linkId: 'lnk_1' });
    const counted = await until(async () => one.texts.find((text) => text.includes('"frames"')) ?? false);
    const { topic, payload } = JSON.parse(counted) as { topic: string; payload: string };
    expect(topic).to.equal('frames');
    expect(JSON.parse(Buffer.from(payload, 'base64').toString())).to.deep.equal({
      ...{ frames: 0, size: { width: 390, height: 664 } },
    });
    expect(video.use()).to.include({ viewers: 1, encoders: 1, units: 1, frames: 1, bytes: 9 });
  });
  it('replace a participant by a newer join of its identity, and send it the reason', async () => {
    const first = await joined({ sub: 'customer-1' });
    const second = await joined({ sub: 'customer-1' });
    expect(await first.closed()).to.equal(4000);
    expect(first.texts.at(-1)).to.equal('{"ended":"replaced"}');
    say(second, 'input', 'words');
    await until(async () => events('data').length === 1);
    expect(told.map(({ event }) => event)).to.deep.equal(['joined', 'lost', 'joined', 'data']);
    expect(video.use().viewers).to.equal(1);
  });
  it('limit their participants, of whom one that replaces itself needs no additional place', async () => {
    await Promise.all(Array.from({ length: bounds.ofRoom }, (_, n) => joined({ sub: `customer-${n}` })));
    expect(await refusedWith(await tokenOf())).to.equal(503);
    await joined({ sub: 'customer-7' });
    expect(video.use().viewers).to.equal(bounds.ofRoom);
  });
  it('remove a participant that sends malformed messages', async () => {
    for (const text of ['{', '[]', '{"topic":1}', JSON.stringify({ attributes: { a: 'x'.repeat(300) } })]) {
      const one = await joined();
      one.socket.send(text);
      expect(await one.closed(), text).to.equal(4000);
    }
    expect([events('data'), events('attributes')]).to.deep.equal([[], []]);
  });
  it('refuse a removed participant for a while', async () => {
    const one = await joined({ sub: 'customer-1' });
    one.socket.send('{');
    await one.closed();
    const { socket } = open(await tokenOf({ sub: 'customer-1' }));
    socket.on('error', () => undefined);
    const [, reply] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect([reply.statusCode, reply.headers['retry-after']]).to.deep.equal([429, '10']);
    await joined({ sub: 'customer-2' });
  });
  it('report what they would answer to a join, without starting anything', async () => {
    const validated = (token: string) => refusedWith(token, '/video/rtc/validate');
    expect(await validated(await tokenOf({ sub: 'customer-1' }))).to.equal(200);
    expect(await validated('')).to.equal(401);
    expect(await validated(await tokenOf({ session: toId('session', randomUUID()) }))).to.equal(404);
    expect([told, encoders, video.watched()]).to.deep.equal([[], [], []]);
    const one = await joined({ sub: 'customer-1' });
    one.socket.send('{');
    await one.closed();
    expect(await validated(await tokenOf({ sub: 'customer-1' }))).to.equal(429);
    await Promise.all(Array.from({ length: bounds.ofRoom }, (_, n) => joined({ sub: `customer-${n + 2}` })));
    expect(await validated(await tokenOf())).to.equal(503);
    expect(await validated(await tokenOf({ sub: 'customer-7' }))).to.equal(200);
    expect(events('joined')).to.have.length(1 + bounds.ofRoom);
  });
  it('remove a participant that sends too many messages, or one that is too large', async () => {
    const [large, many] = [await joined({ sub: 'customer-1' }), await joined()];
    large.socket.send('x'.repeat(bounds.frames.bytes + 1));
    expect(await large.closed()).to.equal(1009);
    expect(await refusedWith(await tokenOf({ sub: 'customer-1' }))).to.equal(429);
    const { burst, perSecond, mostDropped } = bounds.data;
    for (let times = 0; times < burst + mostDropped + 5 * perSecond; times += 1) say(many, 'input', 'x');
    expect([await many.closed(), many.texts.at(-1)]).to.deep.equal([4000, '{"ended":"misbehaved"}']);
    expect(events('data').length).to.be.at.most(burst + 5 * perSecond);
  });
  it('take the input of two fingers over a socket, and drop what is beyond that of a data channel', async () => {
    const one = await joined();
    const passed = async () => {
      one.socket.ping();
      await once(one.socket, 'pong');
      return events('data').length;
    };
    // Four seconds of two fingers at 60 Hz.
    for (let times = 0; times < 480; times += 1) say(one, 'input-moves', 'x');
    expect(await passed()).to.equal(480);
    for (let times = 0; times < 900; times += 1) say(one, 'input-moves', 'x');
    expect(await passed()).to.be.within(bounds.data.burst, 480 + 900 - 1);
    expect(one.socket.readyState).to.equal(WebSocket.OPEN);
  });
  it('take the longest text that a person may paste, even if it is escaped', async () => {
    const one = await joined();
    const text = `{"seq":1,"epoch":1,"event":{"type":"paste","text":"${'\\u4e2d'.repeat(longestTypedText)}"}}`;
    say(one, 'input', text);
    await until(async () => events('data').length === 1);
    expect(events('data')[0]?.text).to.equal(text);
  });
  it('remove a participant that changes its attributes too often', async () => {
    const one = await joined();
    const { burst, perSecond } = bounds.signal;
    for (let times = 0; times < burst + 5 * perSecond; times += 1)
      one.socket.send(JSON.stringify({ attributes: { client_id: String(times) } }));
    expect(await one.closed()).to.equal(4000);
    expect(events('attributes').length).to.be.below(burst + 5 * perSecond);
  });
  const descriptions: Readonly<Record<string, readonly string[]>> = {
    'has too many sections': [`v=0\r\n${'m=video 9 UDP/TLS/RTP/SAVPF 96\r\n'.repeat(17)}`],
    'has a bundle of too many names': [
      `v=0\r\na=group:BUNDLE${' '.repeat(40_000)}x\r\n${'m=audio 9 A 1\r\na=mid:x\r\n'.repeat(16)}`,
    ],
    'has feedback for too many codecs': [
      `v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 1\r\n${'a=rtpmap:1 VP8/90000\r\na=rtcp-fb:*\r\n'.repeat(1_000)}`,
    ],
    'follows too many others': Array.from({ length: 32 }, () => 'v=0\r\n'),
  };
  for (const [what, sent] of Object.entries(descriptions))
    it(`remove a participant whose description ${what}`, async () => {
      const one = open(await tokenOf(), '/video/rtc');
      await until(async () => one.pictures.length > 0);
      for (const sdp of sent) {
        const value = new SessionDescription({ type: 'offer', sdp });
        one.socket.send(new SignalRequest({ message: { case: 'offer', value } }).toBinary());
      }
      expect(await one.closed()).to.equal(1000);
      expect(SignalResponse.fromBinary(one.pictures.at(-1) ?? Buffer.of()).message.case).to.equal('leave');
      expect(events('closed')).to.have.length(1);
    });
  it('remove a participant that breaks LiveKit’s protocol, with the reason in that protocol', async () => {
    const one = open(await tokenOf(), '/video/rtc');
    await until(async () => one.pictures.length > 0);
    one.socket.send(Buffer.from([0xff, 0xff, 0xff]));
    await one.closed();
    const cases = one.pictures.map((each) => SignalResponse.fromBinary(each).message.case);
    expect([cases[0], cases.at(-1)]).to.deep.equal(['join', 'leave']);
    expect(events('closed')).to.have.length(1);
  });
  it('distinguish a participant that leaves from one whose connection broke', async () => {
    const [page, broken] = [await joined(), await joined()];
    page.socket.close();
    broken.socket.terminate();
    await until(async () => events('closed').length === 1 && events('lost').length === 1);
  });
  it('end with their browser, and send the reason', async () => {
    const one = await joined();
    await until(async () => encoders.length === 1);
    await video.ended(session);
    expect(await one.closed()).to.equal(1000);
    expect(one.texts.at(-1)).to.equal('{"ended":"browser-ended"}');
    expect(video.use()).to.include({ viewers: 0, encoders: 0 });
  });
});
