import { byStream, field, grouped, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';
import { isLive, lifeOf } from './session-life.ts';

export const profilesKeepWhatWasSaved: Invariant = {
  id: 'N16',
  holds:
    'A launch of a profile sees the newest state that was recorded: its page’s counter never goes back further, never vanishes and never shows another profile’s. Each session that ends well is saved, or its save is said to have failed.',
  judged:
    'the raw profile streams against a second copy of their table, and the counts that clients read against the visits since the state that each session started with',
  violations: (evidence) => {
    const visits = grouped(evidence.history.filter(isOfCounter), ({ target }) => sessionIn(target));
    const sessions = byStream(evidence.log, 'session');
    return [...byStream(evidence.log, 'profile')].flatMap(([stream, events]) =>
      new Replay(stream, visits, sessions).violations(events),
    );
  },
};

/** Range of the visit counter: a visit without an answer may have counted or not. */
interface Count {
  readonly least: number;
  readonly most: number;
}

interface Saved extends Count {
  readonly generation: number;
}

const nothing: Saved = { generation: 0, least: 0, most: 0 };
type Exchanges = ReadonlyMap<string, readonly Exchange[]>;

/** One profile, from its first event to its last. */
class Replay {
  readonly #stream: string;
  readonly #visits: Exchanges;
  readonly #sessions: ReadonlyMap<string, readonly LogEvent[]>;
  readonly #found: Violation[] = [];
  #saved = nothing;
  #use: 'free' | 'live' | 'saving' = 'free';
  /** The current session, or the last one. */
  #session = '';
  /** The counter when that session began. */
  #start: Count = nothing;

  constructor(stream: string, visits: Exchanges, sessions: ReadonlyMap<string, readonly LogEvent[]>) {
    this.#stream = stream;
    this.#visits = visits;
    this.#sessions = sessions;
  }

  violations(events: readonly LogEvent[]): readonly Violation[] {
    for (const event of events) this.#apply(event);
    if (this.#use !== 'free') this.#read(this.#session, this.#start);
    if (this.#use === 'saving') this.#complain(`its save by ${this.#session} has not ended`);
    if (this.#use === 'live' && !this.#isAlive())
      this.#complain(`${this.#session} has ended and still has it`);
    return this.#found;
  }

  #apply(event: LogEvent): void {
    const move = moves[event.type];
    if (move !== undefined) {
      const [from, to] = move;
      if (this.#use !== from) this.#complain(`${event.type} came while it was ${this.#use}`);
      if (from !== 'free' && field(event, 'sessionId') !== this.#session)
        this.#complain(`${event.type} is of a session that does not have it`);
      this.#use = to;
    }
    if (event.type === 'ProfileBound') this.#bind(event);
    if (event.type === 'StateSaved') this.#save(event, this.#read(this.#session, this.#start));
    if (event.type === 'ProfileTrimmed') this.#save(event, this.#saved);
    if (event.type === 'StateSaveFailed' || event.type === 'ProfileReleased')
      this.#read(this.#session, this.#start);
  }

  #bind(event: LogEvent): void {
    const { generation } = event.data as { readonly generation: number | null };
    this.#session = field(event, 'sessionId');
    this.#start = this.#saved;
    if ((generation ?? 0) !== this.#saved.generation)
      this.#complain(
        `${this.#session} started with state ${generation ?? 0} where ${this.#saved.generation} was the newest`,
      );
  }

  #save({ data }: LogEvent, count: Count): void {
    const { generation } = data.state as { readonly generation: number };
    if (generation !== this.#saved.generation + 1)
      this.#complain(`state ${generation} follows ${this.#saved.generation}`);
    this.#saved = { generation, least: count.least, most: count.most };
  }

  /** Checks the counters that clients read in a session. Returns the counter at its end. */
  #read(session: string, start: Count): Count {
    let { least, most } = start;
    for (const exchange of this.#visits.get(session) ?? []) {
      if (isVisit(exchange)) {
        if (exchange.answer.kind === 'done') least += 1;
        if (exchange.answer.kind !== 'refused') most += 1;
      } else if (exchange.answer.kind === 'done') {
        const { count, owner } = shownBy(exchange);
        if (!(count >= least && count <= most))
          this.#complain(`${session} shows ${count} visits of ${least} to ${most}`, exchange);
        if (owner !== this.#owner()) this.#complain(`${session} shows what is of ${owner}`, exchange);
        [least, most] = [count, count];
      }
    }
    return { least, most };
  }

  #owner = (): string => `prof_${this.#stream.slice('profile-'.length)}`;

  #isAlive(): boolean {
    const stream = `session-${this.#session.slice('ses_'.length)}`;
    return isLive(lifeOf(this.#sessions.get(stream) ?? []).status);
  }

  #complain(what: string, about?: Exchange): void {
    this.#found.push({ what, stream: this.#stream, ...(about && { requests: [about.id] }) });
  }
}

/** How events change which session has a profile. A deliberate second copy. */
const moves: Readonly<Record<string, readonly ['free' | 'live' | 'saving', 'free' | 'live' | 'saving']>> = {
  ProfileBound: ['free', 'live'],
  ProfileReleased: ['live', 'free'],
  StateSaveStarted: ['live', 'saving'],
  StateSaved: ['saving', 'free'],
  StateSaveFailed: ['saving', 'free'],
  ProfileTrimmed: ['free', 'free'],
};

const isVisit = ({ body }: Exchange): boolean => JSON.stringify(body ?? null).includes('sim.test/counter');
const isRead = ({ target }: Exchange): boolean => target.startsWith('GET ') && target.endsWith('/state');
const isOfCounter = (exchange: Exchange): boolean => isVisit(exchange) || isRead(exchange);
const sessionIn = (target: string): string => /ses_[0-9a-f-]{36}/.exec(target)?.[0] ?? '';

/** The page's stored count when it was read. */
function shownBy({ answer }: Exchange): { readonly count: number; readonly owner: string } {
  const { local_storage: stored = {} } = JSON.parse(answer.text ?? '{}') as {
    readonly local_storage?: Readonly<Record<string, string>>;
  };
  return { count: Number(stored.count ?? 0), owner: stored.for ?? 'nobody' };
}
