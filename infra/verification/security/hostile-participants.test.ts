import { readFileSync } from 'node:fs';
import { DisconnectReason } from '@livekit/protocol';
import { expect } from 'chai';
import { SignJWT, decodeJwt } from 'jose';
import { caller } from '../../http/testing.ts';
import { listen } from '../../http/index.ts';
import { PictureParticipant, type VideoBlock } from '../live-view/picture-participant.ts';
import { startWatchers } from '../live-view/watcher.ts';
import { startStack, until, type TestStack } from '../testbed/index.ts';
import { HostileParticipant } from './hostile-participant.ts';

/** A page whose title counts the touches. */
const page = `<!doctype html><meta name="viewport" content="width=device-width"><title>0</title>
  <script>let n = 0; addEventListener('touchstart', () => { document.title = ++n; });</script>`;

const tap = { type: 'tap', x: 50, y: 60 };
const removed = DisconnectReason.PARTICIPANT_REMOVED;
const deep = '['.repeat(30_000);
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Messages on the picture socket, each with the last answer or the close code. */
const onSocket: Readonly<Record<string, readonly [string | Buffer, string | number]>> = {
  'too large': ['x'.repeat(10 * 1024 * 1024), 1009],
  'no JSON': ['{', 'misbehaved'],
  deep: [deep, 'misbehaved'],
  'of no shape': ['{"topic": "input"}', 'misbehaved'],
  'with too many attributes': [
    JSON.stringify({ attributes: Object.fromEntries(Array.from({ length: 40 }, (_each, n) => [n, 'x'])) }),
    'misbehaved',
  ],
};
/** Accepted messages with the answer on `input-ack`; undefined: none. */
const payloads: Readonly<
  Record<string, readonly [topic: string, payload: string, reason: string | undefined]>
> = {
  'no JSON': ['input', '\u0000\u0001', 'malformed'],
  deep: ['input', deep, 'malformed'],
  'with a second shape': [
    'input',
    JSON.stringify({ seq: 1, epoch: 1, event: tap, identity: 'customer-1' }),
    'malformed',
  ],
  'of an epoch to come': ['input', JSON.stringify({ seq: 2, epoch: 1_000, event: tap }), 'old-epoch'],
  'outside the screen': [
    'input',
    JSON.stringify({ seq: 3, epoch: 1, event: { ...tap, x: 99_999 } }),
    'outside',
  ],
  'a finger that is not there': [
    'input',
    JSON.stringify({ seq: 4, epoch: 1, event: { type: 'touchEnd', x: 1, y: 1, touchId: 7 } }),
    'no-touch',
  ],
  'of a topic of the node': ['control', JSON.stringify({ status: 'active', mode: 'ai' }), 'malformed'],
  'of no topic': ['nobody', JSON.stringify({ seq: 5, epoch: 1, event: tap }), undefined],
};
/** Attacks by data channel, and by the signalling socket. */
const onChannel: Readonly<Record<string, (one: HostileParticipant) => void>> = {
  'no packet': (one) => one.data(Buffer.from([0xff, 0xff, 0xff])),
  'a message of ten megabytes': (one) => one.dataBeyondTheWindow(10 * 1024 * 1024),
  'channels without number': (one) => one.openChannels(200),
  'a description without an end': (one) =>
    one.request({ case: 'offer', value: { type: 'offer', sdp: 'v=0\r\n'.repeat(12_000), id: 2 } as never }),
  'a candidate of no shape': (one) =>
    one.request({ case: 'trickle', value: { candidateInit: '{', target: 1 } as never }),
};

describe('a hostile participant of live view', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let site: Awaited<ReturnType<typeof listen>>;
  let watchers: Awaited<ReturnType<typeof startWatchers>>;
  let quiet: Person;
  let hostile: Person;
  let pictures: PictureParticipant;
  let taps = 0;

  /** An account with a browser and an agent session. */
  async function person() {
    const { api_key: token } = await stack.account('api_scale');
    const asCaller = caller(Number(new URL(stack.baseUrl).port));
    const call = async (target: string, body?: object) => {
      const { status, json, text } = await asCaller(target, { token, ...(body && { body }) });
      expect(status, `${target}: ${text}`).to.be.below(300);
      return json;
    };
    const session = String((await call('POST /v1/sessions', {})).id);
    await call(`POST /v1/sessions/${session}/navigate`, { url: `http://127.0.0.1:${site.port}/` });
    const agent = await call('POST /v1/agent-sessions', { mode: 'manual', service_session_id: session });
    const id = String(agent.id);
    const path = `/v1/agent-sessions/${id}`;
    /** Creates and opens a link, which gives a new participant. */
    const link = async (right = 'control', ttl_seconds = 600) => {
      const { id: link_id, token: linkToken } = await call(`POST ${path}/links`, { right, ttl_seconds });
      const { video } = await call('POST /v1/agent-session-links/open', { token: linkToken });
      return { video: video as VideoBlock, revoke: () => call(`DELETE ${path}/links/${String(link_id)}`) };
    };
    const title = async () => {
      const { page_state } = await call(`GET ${path}/page-state`);
      return (page_state as { title: string }).title;
    };
    return { call, path, session, video: agent.video as VideoBlock, link, title };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  before(async () => {
    site = await listen((_request, reply) => {
      reply.setHeader('content-type', 'text/html');
      reply.end(page);
    }, 0);
    const env = { DRIVER: 'webkit', OUTBOUND_ALLOW: '127.0.0.0/8', WARM_BROWSERS: '2' };
    [stack, watchers] = await Promise.all([startStack({ env, limitMs: 120_000 }), startWatchers()]);
    [quiet, hostile] = [await person(), await person()];
    pictures = await PictureParticipant.join(quiet.video);
    await pictures.control();
  });
  after(async () => {
    await watchers.close();
    await stack.stop();
    await site.close();
  });

  /**
   * Asserts that the neighbour's live view continues, its browser got only its own touches, and its operations succeed.
   * Resolves to the milliseconds until its touch was answered.
   */
  const neighbourIsWell = async () => {
    const seen = pictures.pictures.length;
    const began = performance.now();
    expect(await pictures.does(tap)).to.equal('ok');
    const ms = performance.now() - began;
    taps += 1;
    await until(async () => (await quiet.title()) === String(taps), { limitMs: 20_000 });
    await until(() => pictures.pictures.length > seen, { limitMs: 20_000 });
    expect(pictures.ended).to.equal(undefined);
    await quiet.call(`POST /v1/sessions/${quiet.session}/wait`, { condition: { kind: 'delay', ms: 0 } });
    return ms;
  };
  afterEach(async () => {
    await neighbourIsWell();
  });

  const refusal = async (token: string): Promise<readonly [number, string]> => {
    const one = new PictureParticipant({ ...hostile.video, token });
    const status = await one.status();
    const why = await fetch(`${stack.baseUrl}/video/rtc/validate?access_token=${encodeURIComponent(token)}`);
    expect(why.status, 'what it is told afterwards').to.equal(status);
    return [status, await why.text()];
  };

  it('is admitted only by a valid token of its own, and gets the reason for a refusal', async () => {
    const claims = decodeJwt(hostile.video.token);
    const signed = (changes: object) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from('s'.repeat(40)));
    const none = [{ alg: 'none' }, { ...claims, video: { room: 'x' } }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const neighbours = (decodeJwt(quiet.video.token).video as { room: string }).room;
    const [expiring, revoked] = [await hostile.link('control', 10), await hostile.link()];
    await revoked.revoke();
    for (const token of [
      'x'.repeat(4_000),
      `${none.join('.')}.`,
      await signed({}),
      await signed({ video: { room: neighbours, roomJoin: true } }),
    ])
      expect(await refusal(token), token.slice(0, 100)).to.deep.equal([
        401,
        'The video token is malformed, expired, or from another deployment. Request a new one.',
      ]);
    expect((await refusal(revoked.video.token))[0]).to.be.oneOf([401, 404]);
    const closed = await hostile.call('POST /v1/agent-sessions', { mode: 'manual' });
    await hostile.call(`DELETE /v1/agent-sessions/${String(closed.id)}`);
    expect(await refusal((closed.video as VideoBlock).token)).to.deep.equal([
      403,
      'The agent session is closed.',
    ]);
    const { token } = expiring.video;
    await until(async () => (await refusal(token))[0] === 401, { limitMs: 20_000, everyMs: 1_000 });
  });

  for (const [name, [message, end]] of Object.entries(onSocket))
    it(`is disconnected, with the reason, for a message on a socket that is ${name}`, async () => {
      const { video } = await hostile.link();
      const one = await PictureParticipant.join(video);
      one.socket.send(message);
      const code = await one.closed();
      expect(one.ended ?? code).to.equal(end);
      expect(await new PictureParticipant(video).status(), 'at once again').to.equal(429);
    });

  it('gets the error of each invalid message, which touches nothing', async () => {
    const { video } = await hostile.link();
    const one = await PictureParticipant.join(video);
    await one.control();
    for (const [name, [topic, payload, reason]] of Object.entries(payloads)) {
      const before = one.on('input-ack').length;
      one.socket.send(JSON.stringify({ topic, payload: inBase64(payload) }));
      if (reason === undefined) continue;
      await until(() => one.on('input-ack').length > before);
      expect(one.on('input-ack').at(-1)?.reason, name).to.equal(reason);
    }
    const watching = await PictureParticipant.join((await hostile.link('watch')).video);
    await watching.control();
    expect(await watching.does(tap)).to.equal('watching');
    watching.attributes({ client_id: 'the driver', right: 'control' });
    expect(await watching.does(tap)).to.equal('watching');
    expect(await hostile.title()).to.equal('0');
    one.leave();
    watching.leave();
  });

  for (const [name, attack] of Object.entries(onChannel))
    it(`is disconnected, with the reason, for ${name}`, async () => {
      const one = await HostileParticipant.join((await hostile.link()).video);
      attack(one);
      expect(await one.putOut()).to.equal(removed);
    });

  it('publishes no media to anybody, and acts as nobody else', async () => {
    const watching = await PictureParticipant.join((await hostile.link('watch')).video);
    const one = await HostileParticipant.join((await hostile.link()).video);
    await watching.control();
    one.inputAs(quiet.video.participant_identity, { seq: 1, epoch: 1, event: tap });
    const { last_touched_by } = await watching.control(({ last_touched_by: who }) => who !== null);
    expect(last_touched_by).to.match(/^lnk_/);
    await until(async () => (await hostile.title()) === '1');
    expect(one.isPublished).to.equal(false);
    await one.leave();
    watching.leave();
  });

  const nodeMemory = () => {
    const status = readFileSync(`/proc/${stack.processes.node}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };

  it('joins a hundred times at once, and has one place', async () => {
    const before = nodeMemory();
    const many = Array.from({ length: 100 }, () => new PictureParticipant(hostile.video, 'rtc'));
    const statuses = await Promise.all(many.map((one) => one.status()));
    expect(statuses.filter((status) => status !== 101 && status !== 503)).to.deep.equal([]);
    await until(() => many.filter(({ socket }) => socket.readyState === socket.OPEN).length <= 1, {
      limitMs: 30_000,
    });
    many.forEach(({ socket }) => socket.terminate());
    expect(nodeMemory() - before, 'MiB more of the node').to.be.below(200);
  });

  it('keeps nobody waiting by floods over data channels and a socket, and fills no memory', async () => {
    const before = nodeMemory();
    const [watcher, socket] = [
      await watchers.open(),
      await PictureParticipant.join((await hostile.link()).video),
    ];
    await watcher.join((await hostile.link()).video);
    const event = { seq: 1, epoch: 1, event: tap, x: 'x'.repeat(8_000) };
    await watcher.flood('input', 20_000, JSON.stringify(event));
    for (let times = 0; times < 20_000; times += 1) socket.input(tap);
    expect(await socket.closed()).to.equal(4000);
    expect(socket.ended).to.equal('misbehaved');
    const waits: number[] = [];
    let most = before;
    while (waits.length < 15) {
      waits.push(await neighbourIsWell());
      most = Math.max(most, nodeMemory());
    }
    await watchers.closePages();
    const [median = Infinity] = waits.toSorted((one, other) => one - other).slice(7);
    expect(median, 'milliseconds until half of the touches were answered').to.be.below(3_000);
    expect(Math.max(...waits), 'milliseconds until the last was').to.be.below(10_000);
    expect(most - before, 'MiB more of the node').to.be.below(200);
  });
});
