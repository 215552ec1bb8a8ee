import { byStream, field, type Evidence, type LogEvent } from '../evidence/index.ts';

/** Control of an agent session in one epoch, by the log. */
export interface Reign {
  readonly epoch: number;
  readonly mode: string;
  /** Clients that were granted the controls: one at most. */
  readonly holders: readonly string[];
  /** When the store recorded its beginning, and that of the next one, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** What the log says of an agent session that people may drive. */
export interface Room {
  readonly stream: string;
  /** Oldest first. */
  readonly reigns: readonly Reign[];
  /** Clients that have asked for the controls. */
  readonly asked: ReadonlySet<string>;
  /** Browsers that it has had. */
  readonly browsers: ReadonlySet<string>;
}

/** Events that change control. A deliberate second copy. */
const changes: readonly string[] = [
  ...['ModeChanged', 'TakeoverRequested', 'PairModeTimedOut', 'HandbackRequested'],
  ...['AgentSessionPaused', 'AgentSessionClosed'],
];

/** By id of the agent session. */
export function roomsOf({ log }: Pick<Evidence, 'log'>): ReadonlyMap<string, Room> {
  const streams = [...byStream(log, 'agent_session')];
  return new Map(
    streams.map(([stream, events]) => [
      `agt_${stream.slice('agent_session-'.length)}`,
      roomOf(stream, events),
    ]),
  );
}

function roomOf(stream: string, events: readonly LogEvent[]): Room {
  const of = (type: string, name: string) =>
    new Set(events.filter((event) => event.type === type).map((event) => field(event, name)));
  const browsers = [...of('DriverSessionSpawned', 'sessionId'), ...of('AgentSessionCreated', 'attached')];
  return {
    stream,
    reigns: reignsOf(events),
    asked: of('TakeoverRequested', 'clientId'),
    browsers: new Set(browsers),
  };
}

function reignsOf(events: readonly LogEvent[]): readonly Reign[] {
  const reigns: Reign[] = [];
  for (const event of events) {
    const before = reigns.at(-1);
    const begin = (epoch: number, mode: string, holders: readonly string[] = []) => {
      if (before !== undefined) reigns.splice(-1, 1, { ...before, to: event.created });
      reigns.push({ epoch, mode, holders, from: event.created, to: Infinity });
    };
    if (event.type === 'AgentSessionCreated') begin(1, field(event, 'mode'));
    if (before === undefined) continue;
    const kept = event.type === 'AgentSessionPaused' ? before.holders : [];
    if (changes.includes(event.type))
      begin(Number(event.data.epoch), field(event, 'mode') || before.mode, kept);
    if (event.type === 'TakeoverGranted')
      reigns.splice(-1, 1, { ...before, holders: [...before.holders, field(event, 'clientId')] });
  }
  return reigns;
}
