import { sealedFields, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import type { SealedBody } from '../../../contracts/events/agent-transcript.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import { Refusal } from '../../../contracts/problems.ts';
import type { Plan, TurnPhase } from '../../../contracts/resources/agent-turn.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import type {
  AgentSessionCommand,
  Failure,
  IfSuperseded,
  Settlement,
  TurnCommand,
} from '../../../domain/agent-session/commands.ts';
import { present } from '../../../domain/agent-session/guards.ts';
import { exists, type AgentSession, type ExistingAgentSession } from '../../../domain/agent-session/state.ts';
import { after } from '../../../domain/kit/time.ts';
import type { Position } from '../../../infra/event-store/client/types.ts';
import { withoutTypedSecrets } from '../../../infra/model/sensitive.ts';
import { now, ownedStep, type CommandContext } from '../../engine/context.ts';
import { Contended, type RunOutcome } from '../../engine/runner.ts';
import { hiddenValues, type HiddenValue } from './hidden-values.ts';
import type { Order, TurnPorts } from './ports.ts';
import { Provenance } from './provenance/index.ts';
import {
  failedEntry,
  interruptedEntry,
  isOk,
  kindOf,
  nothingYet,
  settledEntry,
  superseded,
  type TurnRecord,
} from './record.ts';
import { guessedSecrets, secretsOf, withoutSecrets, type Secret } from './secrets.ts';

type Step<C> = C extends { readonly turnId: string } & IfSuperseded
  ? Omit<C, 'turnId' | 'at' | keyof IfSuperseded>
  : never;
/** A command that advances or ends a turn. */
type StepCommand = Step<TurnCommand>;

/**
 * An admitted turn in the process that runs it. Each step is a command on the stream of its agent session, which also ends the turn if
 * control has changed; a step's effects begin only once all earlier steps are recorded.
 */
export class RunningTurn {
  readonly ports: TurnPorts;
  readonly order: Order;
  /** Values of variables, which are not stored. */
  readonly hidden: readonly HiddenValue[];
  readonly provenance: Provenance;
  #session: ExistingAgentSession;
  #record: TurnRecord;
  #hasDispatched = false;
  #secrets: readonly Secret[];
  /** Whether the latest plan says which words of the message are secret, if only that none is. */
  #marksSecrets = false;
  #position: Position | undefined;
  #revision: bigint;
  /** When control was last looked at, in ms since the epoch. */
  #lookedAt: number;

  constructor(ports: TurnPorts, order: Order, admission: RunOutcome<AgentSession, AgentSessionEvent>) {
    this.ports = ports;
    this.order = order;
    this.#record = nothingYet(order);
    const { accountId } = order.found;
    const digests = (text: string) => ports.keyedDigests(JSON.stringify(['held', accountId, text]));
    this.provenance = new Provenance(order.message, digests, order);
    this.hidden = hiddenValues(order.variables);
    this.#secrets = [...this.hidden, ...guessedSecrets(order.message)];
    this.#session = present(admission.state);
    this.#position = admission.position;
    this.#revision = admission.revision ?? 0n;
    this.#lookedAt = ports.clock.now().getTime();
    this.#remember(admission);
  }

  /** State after the previous step. */
  get session(): ExistingAgentSession {
    return this.#session;
  }
  get record(): TurnRecord {
    return this.#record;
  }
  /** Position of the last event. */
  get position(): Position | undefined {
    return this.#position;
  }
  /** Revision of the agent session's stream after the previous step. */
  get revision(): bigint {
    return this.#revision;
  }
  /** Whether an operation may have reached a browser. */
  get hasDispatched(): boolean {
    return this.#hasDispatched;
  }
  /** Secrets known so far, which must be masked in texts. */
  get secrets(): readonly Secret[] {
    return this.#secrets;
  }
  /** Whether it had not ended after the previous step. */
  get isUnderWay(): boolean {
    return this.#session.turn?.turnId === this.order.turnId;
  }
  /** Whether the last look at control is older than the interval of heartbeats: the process has waited, or was suspended. */
  get isLookDue(): boolean {
    const { clock, settings } = this.ports;
    return clock.now().getTime() - this.#lookedAt > settings.turnLeaseMs / 3;
  }
  get accountId() {
    return this.order.found.accountId;
  }
  /** Phase after the previous step. */
  get phase(): TurnPhase {
    return this.#session.turn?.phase ?? 'settling';
  }

  /** The context of one command of this turn. */
  context(name: string): CommandContext {
    const { caller, turnId } = this.order;
    return ownedStep({ ...caller.context, commandId: turnId }, this.accountId, name);
  }

  /** The caller, for one act in the caller's name. */
  callerFor(name: string) {
    return { ...this.order.caller, context: this.context(name) };
  }

  /** Called before each dispatch of an operation that may change a page. */
  willDispatch(): void {
    this.#hasDispatched = true;
  }

  /** Updates the progress that any later end of the turn reports. */
  update(done: Partial<TurnRecord>): void {
    this.#record = { ...this.#record, ...done };
  }

  /** Adds the secrets that a plan types or marks. */
  keepSecret(plan: Plan): void {
    this.#marksSecrets = plan.secrets !== undefined;
    this.#secrets = [...new Set([...secretsOf(plan, this.order.message), ...this.#secrets])];
  }

  seal(field: string, value: unknown): Promise<string> {
    return this.ports.vault.seal(this.accountId, field, JSON.stringify(value));
  }

  sealEntry(entry: SealedBody): Promise<string> {
    const { turnId } = this.order;
    const hasFailed = this.#record.results.some(({ kind }) => kind === 'failure');
    const heard = this.provenance.quotedIn(entry.body, hasFailed);
    const said = { ...entry, body: withoutSecrets(entry.body, this.#secrets), ...(heard && { heard }) };
    return this.seal(sealedFields.answer(turnId), said);
  }

  /** Returns the step's events. Throws `TurnSuperseded` if control has changed: the turn has ended with this step. */
  async step(name: string, command: StepCommand): Promise<readonly AgentSessionEvent[]> {
    const { turnId } = this.order;
    const at = now(this.ports);
    const ifSuperseded = {
      sealedInterrupted: await this.sealEntry(interruptedEntry(this.#record)),
      heartbeatDueAt: after(at, this.ports.settings.pairHeartbeatMs),
      ...(this.#session.turn?.owesMessage && (await this.#owedMessage(command))),
    };
    // TypeScript cannot see that the omitted fields are added again.
    const whole = { ...command, ...ifSuperseded, turnId, at } as TurnCommand;
    const events = await this.#run(name, whole);
    this.#lookedAt = Date.parse(at);
    const end = events.find((event) => event.type === 'TurnSuperseded');
    if (end !== undefined) throw superseded(this.#record, end.data.phase);
    return events;
  }

  /** The turn's answer, from its progress. */
  async settlement(): Promise<Settlement> {
    const sealedAnswer = await this.sealEntry(settledEntry(this.#record));
    const { limit } = this.#record;
    return { kind: kindOf(this.#record), ok: isOk(this.#record), limit, sealedAnswer };
  }

  /** Updates the session; ends the turn if control has changed. */
  async proceed(name: string): Promise<void> {
    const session = await this.#inControl();
    if (session === undefined) await this.step(`proceed ${name}`, { type: 'ContinueTurn' });
    else this.#session = session;
  }

  /** Whether control has not changed since admission. */
  async isInControl(): Promise<boolean> {
    return (await this.#inControl()) !== undefined;
  }

  /** Runs a command on the agent session, independent of control. Throws `TurnSuperseded` if the turn turns out to be abandoned. */
  async tell(name: string, command: AgentSessionCommand): Promise<void> {
    const { isUnderWay, phase } = this;
    await this.#run(name, command);
    if (isUnderWay && !this.isUnderWay) throw superseded(this.#record, phase);
  }

  raise(name: string, failure: Failure): Promise<void> {
    return this.tell(name, { type: 'RaiseError', ...failure, at: now(this.ports) });
  }

  /** Ends the turn with a problem as its answer, and throws it. */
  async fail(refusal: Refusal, failure: Failure | null = null): Promise<never> {
    const sealedAnswer = await this.sealEntry(failedEntry(refusal));
    await this.step('fail', { type: 'FailTurn', problem: refusal.slug, sealedAnswer, failure });
    throw refusal;
  }

  /** The present session; undefined if control has changed since admission. */
  async #inControl(): Promise<ExistingAgentSession | undefined> {
    this.#lookedAt = this.ports.clock.now().getTime();
    const { state } = await this.ports.runner.load(agentSession, uuidOf(this.order.found.id));
    if (!exists(state) || state.turn?.turnId !== this.order.turnId) return undefined;
    return state.turn.epoch === state.epoch ? state : undefined;
  }

  /**
   * The message without the secrets known so far. A plan that looks again may be followed by one that types another; so may any other
   * plan of a model, once a step fails. What is marked with a plan of the latter kind is taken as complete.
   */
  async #owedMessage(
    command: StepCommand,
  ): Promise<Pick<IfSuperseded, 'sealedMessage' | 'withholdsMessage'>> {
    const { message, turnId } = this.order;
    const body = withoutSecrets(withoutTypedSecrets(message), this.#secrets);
    const after = command.type === 'RecordDecomposition' ? command.after : this.#session.turn?.after;
    const sealedMessage = await this.seal(sealedFields.message(turnId), { body });
    const withholdsMessage = after === 'look' || (after === 'done' && !this.#marksSecrets);
    return { sealedMessage, withholdsMessage };
  }

  async #run(name: string, command: AgentSessionCommand): Promise<readonly AgentSessionEvent[]> {
    const { found } = this.order;
    const run = this.ports.runner.run(agentSession, uuidOf(found.id), command, this.context(name));
    const outcome = await run.catch((error: unknown) => {
      if (!(error instanceof Refusal) || error instanceof Contended) throw error;
      // The turn was abandoned, because its heartbeats had stopped.
      throw superseded(this.#record, this.phase, error.message);
    });
    this.#session = present(outcome.state);
    this.#position = outcome.position ?? this.#position;
    this.#remember(outcome);
    return outcome.events;
  }

  #remember({ revision, events }: RunOutcome<AgentSession, AgentSessionEvent>): void {
    if (revision === null) return;
    this.#revision = revision;
    this.ports.recentEntries.appended(this.order.found.id, events, revision);
  }
}
