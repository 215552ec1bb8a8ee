import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { agentSession } from '../agent-session.ts';
import type { AgentSessionCommand } from '../commands.ts';
import { exists, type AgentSession } from '../state.ts';
import { challengeId, commands, leaseExpiresAt, sessionId, uuid } from '../testing.ts';

/** Rounds with this many intents each, the intent that fails in all of them, and whether the page is observed afterwards. */
export interface Planned {
  readonly rounds: number;
  readonly intents: number;
  readonly failsAt: number;
  readonly readsBack: boolean;
  readonly asksModel: boolean;
  readonly fails: boolean;
}
export type Action = { readonly kind: 'message'; readonly plan: Planned } | { readonly kind: Move };
export type Move =
  | 'step'
  | 'takeover'
  | 'grant'
  | 'handback'
  | 'complete'
  | 'pause'
  | 'resume'
  | 'abandon'
  | 'close'
  | 'lose'
  | 'ai'
  | 'manual'
  | 'pair';

/** The process that runs one turn: its calls and actions so far, and its next step. */
class TurnRunner {
  readonly turnId: string;
  readonly #plan: Planned;
  #made = 0;
  /** Completed calls of a model and intents, which the log must contain. */
  readonly done: AgentSessionCommand[] = [];

  constructor(turnId: string, plan: Planned) {
    this.turnId = turnId;
    this.#plan = plan;
  }

  next(state: AgentSession): AgentSessionCommand {
    const command = this.#steps(state)[this.#made] ?? commands.SettleTurn({ turnId: this.turnId });
    this.#made += 1;
    return command;
  }

  #steps(state: AgentSession): AgentSessionCommand[] {
    const { turnId } = this;
    const { rounds, intents, readsBack, fails } = this.#plan;
    if (fails) return [commands.ContinueTurn({ turnId }), commands.FailTurn({ turnId })];
    const needsBrowser = exists(state) && state.browser === null;
    const [first = [], ...later] = Array.from({ length: intents === 0 ? 1 : rounds }, (_, index) =>
      this.#settling(index + 1),
    );
    return [
      commands.ContinueTurn({ turnId }),
      commands.RecordDecomposition({ turnId, intents, after: this.#after(1) }),
      needsBrowser ? commands.SpawnDriverSession({ turnId }) : commands.ContinueTurn({ turnId }),
      commands.OpenInitialUrl({ turnId }),
      ...first,
      ...later.flatMap((settling, index) => [
        commands.ContinueTurn({ turnId }),
        commands.RecordDecomposition({ turnId, intents, round: index + 2, after: this.#after(index + 2) }),
        ...settling,
      ]),
      ...(readsBack ? [commands.RecordReadBack({ turnId })] : []),
      commands.SettleTurn({ turnId }),
    ];
  }

  /** The intents of a round, up to the failing one. */
  #settling(round: number): AgentSessionCommand[] {
    const { turnId } = this;
    const { intents, failsAt } = this.#plan;
    const each = Math.min(intents, failsAt + 1);
    return Array.from({ length: each }, (_, nth) =>
      commands.SettleIntent({
        turnId,
        index: (round - 1) * each + nth,
        outcome: nth === failsAt ? 'failure' : 'success',
      }),
    );
  }

  #after(round: number) {
    return round < this.#plan.rounds ? 'look' : null;
  }
}

const moves: Readonly<Record<Exclude<Move, 'step'>, (at: number) => AgentSessionCommand>> = {
  takeover: () => commands.TakeOver(),
  grant: () => commands.GrantTakeover(),
  handback: () => commands.HandBack(),
  complete: () => commands.CompleteHandback(),
  pause: (n) => commands.Pause({ challengeId: `${challengeId} ${n}` }),
  resume: () => commands.Resume(),
  abandon: () => commands.AbandonTurn({ at: leaseExpiresAt }),
  close: () => commands.Close(),
  lose: () => commands.LoseDriverSession(),
  ai: () => commands.ChangeMode({ mode: 'ai' }),
  manual: () => commands.ChangeMode({ mode: 'manual' }),
  pair: () => commands.ChangeMode({ mode: 'pair' }),
};

/** The result of a story: every append, and the runners' actions until they were stopped. */
export interface Outcome {
  readonly appends: readonly (readonly AgentSessionEvent[])[];
  readonly log: readonly AgentSessionEvent[];
  readonly state: AgentSession;
  readonly runners: readonly TurnRunner[];
}

class Story {
  state: AgentSession = agentSession.initialState;
  readonly appends: AgentSessionEvent[][] = [];
  readonly runners: TurnRunner[] = [];

  /** False if the command was refused. */
  run(command: AgentSessionCommand): boolean {
    try {
      const decided = agentSession.decide(command, this.state);
      if (decided.length > 0) this.appends.push([...decided]);
      this.state = decided.reduce(agentSession.evolve, this.state);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  take(action: Action, n: number): void {
    if (action.kind === 'message') this.#say(uuid(100 + n), action.plan);
    else if (action.kind === 'step') this.#step();
    else if (action.kind === 'resume') this.#resume();
    else this.run(moves[action.kind](n));
  }

  #say(turnId: string, plan: Planned): void {
    const isTaken = this.run(commands.AdmitMessage({ turnId, asksModel: plan.asksModel, leaseExpiresAt }));
    const turn = exists(this.state) ? this.state.turn : null;
    if (isTaken && turn?.turnId === turnId) this.runners.push(new TurnRunner(turnId, plan));
  }

  #step(): void {
    const runner = this.runners.at(-1);
    const turn = exists(this.state) ? this.state.turn : null;
    if (runner === undefined || turn?.turnId !== runner.turnId) return;
    const command = runner.next(this.state);
    if (this.run(command)) runner.done.push(command);
  }

  #resume(): void {
    const challenge = exists(this.state) ? this.state.challenge : null;
    if (challenge !== null) this.run(commands.Resume({ challengeId: challenge.challengeId }));
  }
}

export function runStory(mode: 'ai' | 'pair', isAttached: boolean, actions: readonly Action[]): Outcome {
  const story = new Story();
  const attached = isAttached ? sessionId : null;
  story.run(commands.CreateAgentSession({ mode, attached, tokenBudget: 100_000, opensInitialUrl: true }));
  actions.forEach((action, n) => {
    story.take(action, n);
  });
  const { appends, state, runners } = story;
  return { appends, log: appends.flat(), state, runners };
}
