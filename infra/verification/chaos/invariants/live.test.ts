import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { toId } from '../../../../contracts/ids.ts';
import { piecesOf } from '../../live-view/traces.ts';
import { tempDir } from '../../testbed/index.ts';
import type { DriverLine, Evidence, LogEvent } from '../evidence/index.ts';
import { filesWithFrames } from '../evidence/live.ts';
import { LiveRecord, numberAt, placeOf, type SentTouch, type Visit } from '../world/live.ts';
import { touchesAreOfTheirEpoch } from './n27-touches.ts';
import { controlIsHeldByOne } from './n28-takeovers.ts';
import { framesAreNotKept } from './n29-frames.ts';
import { nothingIsShownToNobody } from './n30-encoders.ts';
import { peopleGetIn, peopleInRooms } from './n31-people-get-in.ts';
import { done, event, nobodyCame, sessionId, soundEvidence, uuid } from './testing/index.ts';

const room = toId('agentSession', uuid);
const stream = `agent_session-${uuid}`;
const clientId = 'hand';
let clock = 0;

/** An event of the agent session, recorded a minute after the one before. */
const of = (type: string, data: LogEvent['data'] = {}): LogEvent => {
  clock += 60_000;
  return event(type, { stream, created: clock, data });
};
const taken = (epoch: number, by = clientId): readonly LogEvent[] => [
  of('TakeoverRequested', { epoch, clientId: by }),
  of('TakeoverGranted', { clientId: by }),
];
const driven = (): readonly LogEvent[] => [
  of('AgentSessionCreated', { mode: 'pair', attached: null }),
  of('DriverSessionSpawned', { sessionId }),
  ...taken(2),
];

type Told = Partial<Omit<Evidence, 'live'>> & { readonly live?: Partial<Evidence['live']> };
const evidenceOf = ({ live = {}, ...rest }: Told): Evidence =>
  soundEvidence({ ...rest, live: { ...nobodyCame, ...live } });

const touch = (number: number, changes: Partial<SentTouch> = {}): SentTouch => ({
  ...{ number, room, epoch: 2, clientId, right: 'control', sentAt: clock, answer: 'ok' },
  ...changes,
});
const line = (number: number, changes: Partial<DriverLine> = {}): DriverLine => ({
  ...{ action: 'touch', type: 'down', session_id: sessionId, ...placeOf(number) },
  ...changes,
});

describe('N27, about touches', () => {
  const found = (
    log: readonly LogEvent[],
    touches: readonly SentTouch[],
    driver = touches.map((_, n) => line(n)),
  ) =>
    touchesAreOfTheirEpoch
      .violations(evidenceOf({ log, driver, live: { touches } }))
      .map(({ what }) => what)
      .join('; ');

  it('accepts touches of the person who has the controls, and of anybody in manual mode', () => {
    expect(found(driven(), [touch(0), touch(1)])).to.equal('');
    const manual = [...driven(), of('ModeChanged', { epoch: 3, mode: 'manual' })];
    expect(found(manual, [touch(0, { epoch: 3, clientId: 'another' })])).to.equal('');
    expect(found(driven(), [touch(0, { answer: 'old-epoch' })], [])).to.equal('');
  });

  it('sees a touch that arrives twice, was sent by nobody, or reaches the browser of another agent session', () => {
    expect(found(driven(), [touch(0)], [line(0), line(0)])).to.include('reached a browser 2 times');
    expect(found(driven(), [], [line(7)])).to.include('where nobody touched');
    expect(found(driven(), [touch(0)], [line(0, { session_id: 'ses_other' })])).to.include(
      'not of its agent session',
    );
  });

  it('sees a touch without the right or the controls, in the mode ai, and under no epoch', () => {
    expect(found(driven(), [touch(0, { right: 'watch' })])).to.include('who may only watch');
    expect(found(driven(), [touch(0, { clientId: 'another' })])).to.include('its sender had no controls');
    expect(found(driven(), [touch(0, { epoch: 9 })])).to.include('an epoch that never was');
    const agent = [...driven(), of('ModeChanged', { epoch: 3, mode: 'ai' })];
    expect(found(agent, [touch(0, { epoch: 3 })])).to.include('in the mode ai');
  });

  it('sees a touch of an epoch that ended longer ago than a node may miss, except during faults', () => {
    const over = [...driven(), of('HandbackRequested', { epoch: 3 })];
    expect(found(over, [touch(0)])).to.equal('');
    expect(found(over, [touch(0, { sentAt: clock + 8_000 })])).to.include('sent 8000 ms after its epoch');
    const faults = [{ name: 'pause node', from: clock, to: clock + 4_000 }];
    const touches = [touch(0, { sentAt: clock + 8_000 })];
    const evidence = evidenceOf({ log: over, driver: [line(0)], faults, live: { touches } });
    expect(touchesAreOfTheirEpoch.violations(evidence)).to.deep.equal([]);
  });

  it('sees a touch of an earlier epoch after one of a later epoch', () => {
    const log = [...driven(), of('HandbackRequested', { epoch: 3 }), ...taken(4)];
    expect(found(log, [touch(0, { epoch: 4 }), touch(1, { sentAt: 0 })])).to.include('under epoch 2 after 4');
  });

  it('sees an answer that is not true', () => {
    expect(found(driven(), [touch(0)], [])).to.equal('touch 0 was acknowledged and reached no browser');
    expect(found(driven(), [touch(0, { answer: 'busy' })])).to.equal(
      'touch 0 was refused (busy) and reached a browser',
    );
    expect(found(driven(), [touch(0, { answer: 'failed' })])).to.equal('');
  });
});

describe('N28, about the controls', () => {
  const found = (log: readonly LogEvent[], live: Partial<Evidence['live']> = {}) =>
    controlIsHeldByOne
      .violations(evidenceOf({ log, live }))
      .map(({ what }) => what)
      .join('; ');
  const asked = { room, clientId, sentAt: 0, answer: 'ok', answeredAt: 1 };

  it('accepts a takeover that is in the log, a refusal, and a takeover when there is nothing to take over', () => {
    const holders = [{ room, epoch: 2, clientId }];
    expect(found(driven(), { takeovers: [asked], holders })).to.equal('');
    const refused = { ...asked, clientId: 'another', answer: 'other-client' };
    expect(found(driven(), { takeovers: [refused] })).to.equal('');
    const paused = [...driven(), of('AgentSessionPaused', { epoch: 3 })];
    expect(found(paused, { holders: [{ room, epoch: 3, clientId }] })).to.equal('');
    const manual = [of('AgentSessionCreated', { mode: 'manual' })];
    const now = { sentAt: clock, answeredAt: clock + 10 };
    expect(found(manual, { takeovers: [{ ...asked, ...now }] })).to.equal('');
  });

  it('sees an acknowledged takeover that is not in the log', () => {
    const takeovers = [{ ...asked, clientId: 'another' }];
    expect(found(driven(), { takeovers })).to.equal('the acknowledged takeover of another is not in the log');
  });

  it('sees two holders in one epoch, and an epoch that is skipped or comes twice', () => {
    const log = [...driven(), of('TakeoverGranted', { clientId: 'another' })];
    expect(found(log)).to.include('epoch 2 has the holders hand and another');
    expect(found([...driven(), of('HandbackRequested', { epoch: 4 })])).to.equal('epoch 4 is the 3th');
    expect(found([...driven(), of('HandbackRequested', { epoch: 2 })])).to.equal('epoch 2 is the 3th');
  });

  it('sees participants who got a message about another holder', () => {
    const holders = [{ room, epoch: 2, clientId: 'another' }];
    expect(found(driven(), { holders })).to.include('that another drives in epoch 2, which had hand');
    expect(found(driven(), { holders: [{ room, epoch: 2, clientId }, ...holders] })).to.not.equal('');
  });
});

describe('N29, about frames', () => {
  it('finds files with frames of any kind, and no others', () => {
    const directory = tempDir('frames');
    mkdirSync(join(directory, 'below'));
    const write = (name: string, hex: string) =>
      writeFileSync(join(directory, name), Buffer.concat([Buffer.alloc(100), Buffer.from(hex, 'hex')]));
    write('picture', 'ffd8ffe000104a46494600010100000100010000');
    write('below/stream', '9d012a8601a8022f');
    write('other', '9d012a0001a8022f');
    const files = filesWithFrames(directory, new Set(['390×680']));
    expect(files).to.have.members([
      `${directory}/picture (JPEG)`,
      `${directory}/below/stream (VP8 of 390×680)`,
    ]);
    const evidence = evidenceOf({ live: { filesWithFrames: files } });
    expect(framesAreNotKept.violations(evidence)).to.have.length(2);
  });
});

describe('a file that is searched', () => {
  it('is read in pieces that overlap, so that nothing is missed between two', () => {
    const file = join(tempDir('pieces'), 'file');
    const read = (size: number) =>
      Array.from(piecesOf(file, { size, overlap: 3 }), (content) => content.toString());
    expect(read(8)).to.deep.equal([]);
    writeFileSync(file, '0123456789abcdefghij');
    expect(read(8)).to.deep.equal(['01234567', '56789abc', 'abcdefgh', 'fghij']);
    expect(read(64)).to.deep.equal(['0123456789abcdefghij']);
  });
});

describe('N30, about windows that are shown', () => {
  const visit: Visit = {
    ...{ room, as: 'watcher', by: 'pictures', isByLink: false, askedAt: 0, outcome: 'joined', pictures: 1 },
  };
  const found = (
    live: Partial<Evidence['live']>,
    driver: readonly DriverLine[] = [],
    kills: readonly string[] = [],
  ) =>
    nothingIsShownToNobody
      .violations(evidenceOf({ driver, kills, live: { visits: [visit], ...live } }))
      .map(({ what }) => what)
      .join('; ');
  const samples = (until: number, viewers: number) =>
    Array.from({ length: until }, (_, index) => ({ at: 1_000 * (index + 1), viewers, encoders: 1 }));
  const end = { at: 60_000, viewers: 0, encoders: 0 };

  it('accepts a picture that lingers for some seconds', () => {
    expect(found({ use: [...samples(9, 0), end] })).to.equal('');
    expect(found({ use: [...samples(30, 1), end] })).to.equal('');
  });

  it('sees a picture that continues without viewers, and one that never ends', () => {
    expect(found({ use: [...samples(15, 0), end] })).to.include('1 windows were shown to nobody');
    expect(found({ use: samples(2, 0) })).to.include('0 viewers, 1 pictures and 0 encoders');
    expect(found({ use: [end], encodersLeft: 1 })).to.include('1 encoders');
    expect(found({ use: [] })).to.equal('no node told its use of live view');
  });

  it('sees a picture that outlives its browser, unless its node was killed', () => {
    const shown = { action: 'show', session_id: sessionId };
    expect(found({}, [shown, { ...shown, action: 'hide' }])).to.equal('');
    expect(found({}, [shown])).to.equal(`1 pictures of ${sessionId} have no end`);
    expect(found({}, [shown], ['node'])).to.equal('');
  });
});

describe('N31, about who gets in', () => {
  const record = () => {
    const live = new LiveRecord();
    for (const as of ['watcher', 'driver'] as const)
      Object.assign(live.visit({ room, as, by: 'pictures', isByLink: false }), {
        outcome: 'joined',
        pictures: 3,
      });
    live.touch({ room, right: 'control', epoch: 2, clientId }).answer = 'ok';
    live.takeover(room, clientId).answer = 'ok';
    return live;
  };
  const found = (live: Partial<Evidence['live']>, lastsMs = 61_000) => {
    const asked = done('first', 'video-token', { actor: `${peopleInRooms} 1`, sentAt: 0 });
    const history = [asked, { ...asked, id: 'last', sentAt: lastsMs }];
    return peopleGetIn.violations(evidenceOf({ history, live })).map(({ what }) => what);
  };
  const { visits, touches, takeovers } = record();

  it('accepts a run in which both got in, and a short one', () => {
    expect(found({ visits, touches, takeovers })).to.deep.equal([]);
    expect(found({}, 10_000)).to.deep.equal([]);
  });

  it('sees a run in which nobody did', () => {
    expect(found({})).to.deep.equal(['no watcher got in', 'no watcher saw a picture', 'no driver got in']);
    expect(
      found({ visits: visits.map((each) => ({ ...each, pictures: 0 })), touches, takeovers }),
    ).to.deep.equal(['no watcher saw a picture']);
  });

  it('sees that no touch and no takeover of several drivers succeeded, and demands none of one driver', () => {
    expect(found({ visits })).to.deep.equal([]);
    const several = Array.from({ length: 5 }, () => visits).flat();
    expect(found({ visits: several })).to.deep.equal(['no touch arrived', 'no takeover was acknowledged']);
  });

  it('sees a refusal that no participant may get', () => {
    const refused = (status: number, isByLink = false): Visit[] => [
      {
        ...{ room, as: 'watcher', by: 'pictures', isByLink, askedAt: 0, pictures: 0 },
        outcome: 'refused',
        status,
      },
    ];
    expect(found({ visits: refused(404) }, 0)).to.deep.equal([]);
    expect(found({ visits: refused(401, true) }, 0)).to.deep.equal([]);
    // No agent session was closed.
    for (const status of [400, 401, 410, 500])
      expect(found({ visits: refused(status) }, 0), String(status)).to.have.length(1);
  });
});

describe('the place of a touch', () => {
  it('identifies its number', () => {
    for (const number of [0, 299, 300, 12_345]) {
      const { x, y } = placeOf(number);
      expect(numberAt(x, y)).to.equal(number);
    }
  });
});
