import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SessionId } from '../../../contracts/ids.ts';
import type { InputReason, RoomInput } from '../../../contracts/resources/room.ts';
import { OperationFailed, type Hands } from '../node/driver.ts';
import { Fingers } from './fingers.ts';
import { isRelease } from './messages.ts';
import { stepsOf, type Step } from './steps.ts';
import type { Turns } from './turns.ts';

/** Maximal number of queued events; more mean that they arrive faster than the browser takes them. Releases may be twice as many. */
const mostWaiting = 256;
/** Milliseconds after which an idle finger or key is released. */
const forgottenMs = 15_000;

/** Milliseconds without a timeout after which the next one is logged again. */
const timeoutRunMs = 60_000;

/** The browser that receives input. */
export interface Touched {
  readonly session: SessionId;
  readonly hands: Hands;
}

/** An event that was allowed on arrival, and is checked again before it is carried out. */
export interface Job {
  seq: number;
  event: RoomInput;
  readonly identity: string;
  /** Why it may not be carried out now; null if it may. */
  readonly mayNot: () => InputReason | null;
  /** Answers its sender, if that is still here. */
  readonly answer: (seq: number, reason: InputReason | null) => void;
  /** In milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  readonly dueAt: number;
  /** Whether it has begun, or has been refused: no newer move is merged into it. */
  isBegun: boolean;
}

export interface DeliveryOptions {
  readonly turns: Turns;
  readonly logger: Logger;
  readonly answer: (job: Job, reason: InputReason | null) => void;
  /** Id of the page's dialog that is open, null if none is: until it is answered, the page takes no other input. */
  readonly openDialog: () => number | null;
  /** Called when another participant than before touches the browser. */
  readonly onOwner: (identity: string) => void;
  /** Called right before each touch, key and text of a participant. */
  readonly onTouch: (identity: string) => void;
}

/**
 * Carries out events on one browser, one at a time and in the order of arrival. Permission is checked before each step, by the latest known
 * state of control, with nothing awaited between the check and the step.
 */
export class Delivery {
  owner: string | undefined;
  readonly #options: DeliveryOptions;
  readonly #to: Touched;
  readonly #fingers: Fingers;
  #holdsKeys = false;
  #chain: Promise<void> = Promise.resolve();
  #waiting = 0;
  #forgotten: NodeJS.Timeout | undefined;
  /** Time of the last timeout, in milliseconds of `performance.now()`. */
  #timedOutAt = -Infinity;

  constructor(to: Touched, options: DeliveryOptions) {
    this.#to = to;
    this.#options = options;
    this.#fingers = new Fingers(to.hands.viewport);
  }

  get session(): SessionId {
    return this.#to.session;
  }

  add(job: Job): void {
    if (this.#waiting >= mostWaiting * (isRelease(job.event) ? 2 : 1)) {
      job.isBegun = true;
      return this.#options.answer(job, 'too-many');
    }
    this.#waiting += 1;
    this.#chain = this.#chain.then(() => this.#take(job));
  }

  /** Lifts all fingers and releases all keys. */
  async letGo(): Promise<void> {
    clearTimeout(this.#forgotten);
    if (this.#fingers.count === 0 && !this.#holdsKeys) return;
    this.#fingers.clear();
    this.#holdsKeys = false;
    await this.#to.hands.lift();
  }

  close(): void {
    void this.letGo().catch(() => undefined);
  }

  async #take(job: Job): Promise<void> {
    const early = job.dueAt - performance.now();
    if (early > 1) await wait(early);
    job.isBegun = true;
    this.#waiting -= 1;
    this.#options.answer(job, await this.#carryOut(job));
    this.#remember();
  }

  async #carryOut(job: Job): Promise<InputReason | null> {
    const refused = this.#mayNot(job);
    if (refused !== null) return refused;
    try {
      const isOwners = this.owner === job.identity;
      const isPressed = isOwners && this.#fingers.has(-1);
      const steps = stepsOf(job.event, { viewport: this.#to.hands.viewport, isPressed });
      if (typeof steps === 'string') return steps;
      if (this.#isBehindDialog(steps)) return 'dialog-open';
      if (this.#isTooLate(steps)) return 'no-dialog';
      if (!isOwners) {
        const idle = this.#idleReason(steps);
        if (idle !== undefined) return idle;
        await this.#passTo(job.identity);
      }
      return await this.#doAll(steps, job);
    } catch (error) {
      await this.letGo().catch(() => undefined);
      return this.#reasonOf(error);
    }
  }

  /**
   * The answer to steps that do not touch the browser, from a participant without fingers or keys down; undefined if
   * they do.
   */
  #idleReason([first]: readonly Step[]): InputReason | null | undefined {
    if (first === undefined || first.do === 'key_up') return null;
    if (first.do !== 'touch') return undefined;
    if (first.touch.type !== 'down') return 'no-touch';
    return this.#fingers.contains(first.touch.x, first.touch.y) ? undefined : 'outside';
  }

  async #doAll(steps: readonly Step[], job: Job): Promise<InputReason | null> {
    for (const step of steps) {
      const refused = this.#mayNot(job) ?? (await this.#perform(step, job.identity));
      if (refused === null) continue;
      // Fingers and keys of this event's earlier steps are released.
      if (steps.length > 1) await this.letGo();
      return refused;
    }
    return null;
  }

  #mayNot(job: Job): InputReason | null {
    return job.mayNot() ?? (this.#options.turns.isOperating(this.#to.session) ? 'busy' : null);
  }

  /** Whether the page would get any of these steps only after its dialog. Fingers and keys can be released meanwhile. */
  #isBehindDialog(steps: readonly Step[]): boolean {
    return this.#options.openDialog() !== null && steps.some(isForPage);
  }

  /** True for an answer to another dialog than the open one: its sender does not touch the browser. */
  #isTooLate([first]: readonly Step[]): boolean {
    return first?.do === 'answer' && first.answer.id !== this.#options.openDialog();
  }

  /** Fingers of different people are never on the screen at the same time. */
  async #passTo(identity: string): Promise<void> {
    await this.letGo();
    this.owner = identity;
    this.#options.onOwner(identity);
  }

  async #perform(step: Step, identity: string): Promise<InputReason | null> {
    const { hands } = this.#to;
    if (this.#isBehindDialog([step])) return 'dialog-open';
    this.#options.onTouch(identity);
    switch (step.do) {
      case 'touch': {
        const placed = this.#fingers.place(step.touch);
        if (typeof placed === 'string') return placed;
        await hands.touch(placed);
        return null;
      }
      case 'pause':
        await wait(step.ms);
        return null;
      case 'key_down':
        this.#holdsKeys = true;
        await hands.keyDown(step.key, step.modifiers);
        return null;
      case 'key_up':
        await hands.keyUp(step.key);
        return null;
      case 'text':
      case 'paste':
        await hands[step.do](step.text);
        return null;
      case 'answer':
        return (await hands.answerDialog(step.answer)) ? null : 'no-dialog';
    }
  }

  #remember(): void {
    clearTimeout(this.#forgotten);
    if (this.#fingers.count > 0 || this.#holdsKeys)
      this.#forgotten = setTimeout(() => void this.letGo().catch(() => undefined), forgottenMs).unref();
  }

  #reasonOf(error: unknown): InputReason {
    const failure = error instanceof OperationFailed ? error.failure : undefined;
    if (failure?.category === 'invalid_request') return 'no-such-key';
    if (failure?.kind === 'timeout' && !this.#isFirstTimeout()) return 'failed';
    this.#options.logger.warn({ err: error, session_id: this.#to.session }, 'Input did not reach a browser.');
    return 'failed';
  }

  /** Whether there was none in the last minute: a page that does not answer could fill the log. */
  #isFirstTimeout(): boolean {
    const before = this.#timedOutAt;
    this.#timedOutAt = performance.now();
    return this.#timedOutAt - before > timeoutRunMs;
  }
}

/** Whether a step touches or types. */
const isForPage = (step: Step): boolean =>
  step.do === 'touch' ? step.touch.type !== 'up' : ['key_down', 'text', 'paste'].includes(step.do);
