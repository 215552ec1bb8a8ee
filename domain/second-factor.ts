import { hourMs } from '../contracts/durations.ts';
import {
  secondFactorEvents,
  type FactorUse,
  type SecondFactorEvent,
} from '../contracts/events/second-factor.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

interface Enrolling {
  readonly accountId: AccountId;
  readonly sealedSecret: string;
  /** Times of the last refused codes, ISO 8601, newest first. */
  readonly refusals: readonly string[];
}

export interface PendingFactor extends Enrolling {
  readonly status: 'pending';
}

export interface EnrolledFactor extends Enrolling {
  readonly status: 'enrolled';
  /** Steps whose codes were used, newest first. */
  readonly usedSteps: readonly number[];
  /** HMACs of the unused recovery codes. */
  readonly recoveryCodes: readonly string[];
  /** Wrong codes since the last right one. */
  readonly failures: number;
}

/**
 * The second factor of an account.
 *
 * | state    | means                                                            |
 * |----------|------------------------------------------------------------------|
 * | none     | there is none, or it was disabled                                |
 * | pending  | a secret was shown, and no code of it has been seen yet          |
 * | enrolled | a sign-in needs a code                                           |
 */
export type SecondFactor = { readonly status: 'none' } | PendingFactor | EnrolledFactor;

/**
 * A submitted code, checked against one secret: the time step that it matches, or its HMACs under each pepper in case it is a
 * recovery code. A wrong code has no step, and HMACs that match nothing.
 */
export interface GivenCode {
  readonly sealedSecret: string;
  readonly step: number | null;
  readonly recoveryCodes: readonly string[];
}

export type SecondFactorCommand = CommandsOf<{
  BeginEnrolment: { accountId: AccountId; sealedSecret: string };
  ConfirmEnrolment: { code: GivenCode; recoveryCodes: readonly string[] };
  UseCode: { code: GivenCode; use: FactorUse };
  Disable: { code: GivenCode };
  /** Removes the factor, by staff, for an owner who has lost the device and the recovery codes. */
  Remove: unknown;
}>;

/** Wrong codes allowed within the window. Further codes are refused unchecked. */
const allowedRefusals = 5;
const refusalWindowMs = 60_000;

/**
 * Consecutive wrong codes at which the owner gets a mail, and from which each further one doubles the wait for the next. A day then
 * has room for about forty (NIST SP 800-63B, 5.2.2, wants a bound of a hundred at most).
 */
const noticedFailures = 10;
const firstWaitMs = 60_000;
const longestWaitMs = hourMs;

/** More steps than can be used while a code is valid, even if a clock is set back by days. */
const rememberedSteps = 100;

const rules: Rules<SecondFactor, SecondFactorCommand, SecondFactorEvent> = {
  BeginEnrolment(state, { type: _, ...data }) {
    if (state.status === 'enrolled')
      throw refuse('conflict', 'A second factor is enrolled. Disable it first.');
    return [{ type: 'SecondFactorEnrolmentBegun', data }];
  },
  ConfirmEnrolment(state, { code: { sealedSecret, step }, recoveryCodes, at }) {
    if (state.status !== 'pending')
      throw refuse('conflict', 'No enrolment has been started. Begin one with POST /v1/auth/mfa/enroll.');
    assertTriesLeft(state, at);
    const { accountId } = state;
    if (step === null || sealedSecret !== state.sealedSecret) return refusal(state, at);
    return [
      { type: 'SecondFactorConfirmed', data: { accountId, step, recoveryCodes: [...recoveryCodes], at } },
    ];
  },
  UseCode(state, { code, use, at }) {
    const enrolled = assertEnrolled(state);
    assertTriesLeft(enrolled, at);
    const { accountId } = enrolled;
    const { step } = code;
    if (isUnusedStep(enrolled, code) && step !== null)
      return [{ type: 'SecondFactorCodeUsed', data: { accountId, step, use, at } }];
    const recoveryCode = recoveryCodeOf(enrolled, code);
    if (recoveryCode !== undefined)
      return [{ type: 'RecoveryCodeUsed', data: { accountId, recoveryCode, use, at } }];
    return refusal(enrolled, at);
  },
  Disable(state, { code, at }) {
    const enrolled = assertEnrolled(state);
    assertTriesLeft(enrolled, at);
    const isGood = isUnusedStep(enrolled, code) || recoveryCodeOf(enrolled, code) !== undefined;
    if (!isGood) return refusal(enrolled, at);
    const { accountId } = enrolled;
    return [{ type: 'SecondFactorDisabled', data: { accountId, at } }];
  },
  Remove(state, { at }) {
    if (state.status !== 'enrolled') return [];
    return [{ type: 'SecondFactorDisabled', data: { accountId: state.accountId, by: 'staff', at } }];
  },
};

function assertEnrolled(state: SecondFactor): EnrolledFactor {
  if (state.status !== 'enrolled') throw refuse('conflict', 'No second factor is enrolled.');
  return state;
}

/** Refuses while the wait after too many wrong codes lasts. */
function assertTriesLeft(state: PendingFactor | EnrolledFactor, at: string): void {
  const now = Date.parse(at);
  const failures = state.status === 'enrolled' ? state.failures : 0;
  const waitMs = Math.max(windowLeft(state, now), waitLeft(state, failures, now));
  if (waitMs === 0) return;
  throw refuse('rate-limited', 'Too many wrong codes. Wait before you try another one.', {
    retry_after_seconds: Math.ceil(waitMs / 1000),
  });
}

/** Milliseconds until fewer codes than allowed were refused within the window. */
function windowLeft({ refusals }: Enrolling, now: number): number {
  const recent = refusals.map(Date.parse).filter((time) => leftOf(time, refusalWindowMs, now) > 0);
  return recent.length < allowedRefusals ? 0 : leftOf(Math.min(...recent), refusalWindowMs, now);
}

/** Milliseconds until the wait after the last of many consecutive wrong codes ends. */
function waitLeft({ refusals: [last] }: Enrolling, failures: number, now: number): number {
  if (last === undefined || failures < noticedFailures) return 0;
  const waitMs = Math.min(firstWaitMs * 2 ** (failures - noticedFailures), longestWaitMs);
  return leftOf(Date.parse(last), waitMs, now);
}

/**
 * Milliseconds that are left of a duration, at most all of it. After a clock was set back, a start with a later time counts as long
 * as an earlier one.
 */
const leftOf = (start: number, durationMs: number, now: number): number =>
  Math.abs(now - start) < durationMs ? Math.min(start + durationMs - now, durationMs) : 0;

/** All recent steps are stored, not only the newest, so that codes of neighbouring steps work in any order, each once. */
const isUnusedStep = (state: EnrolledFactor, { sealedSecret, step }: GivenCode): boolean =>
  step !== null && sealedSecret === state.sealedSecret && !state.usedSteps.includes(step);

/** The unused recovery code that matches. */
const recoveryCodeOf = (state: EnrolledFactor, { recoveryCodes }: GivenCode): string | undefined =>
  recoveryCodes.find((each) => state.recoveryCodes.includes(each));

const refusal = (state: PendingFactor | EnrolledFactor, at: string): readonly SecondFactorEvent[] => [
  {
    type: 'SecondFactorCodeRefused',
    data: {
      accountId: state.accountId,
      ...(state.status === 'enrolled' && { count: state.failures + 1 }),
      at,
    },
  },
];

export const secondFactor: Decider<SecondFactor, SecondFactorCommand, SecondFactorEvent> = {
  category: secondFactorEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

function evolve(state: SecondFactor, event: SecondFactorEvent): SecondFactor {
  if (event.type === 'SecondFactorEnrolmentBegun') {
    if (state.status === 'enrolled') return state;
    const { accountId, sealedSecret } = event.data;
    const refusals = state.status === 'pending' ? state.refusals : [];
    return { status: 'pending', accountId, sealedSecret, refusals };
  }
  if (state.status === 'none') return state;
  if (event.type === 'SecondFactorCodeRefused') return refused(state, event.data);
  if (state.status === 'pending') return confirm(state, event);
  switch (event.type) {
    case 'SecondFactorConfirmed':
      return state;
    case 'SecondFactorCodeUsed':
      return {
        ...state,
        usedSteps: [event.data.step, ...state.usedSteps].slice(0, rememberedSteps),
        failures: 0,
      };
    case 'RecoveryCodeUsed': {
      const { recoveryCode } = event.data;
      return {
        ...state,
        recoveryCodes: state.recoveryCodes.filter((each) => each !== recoveryCode),
        failures: 0,
      };
    }
    case 'SecondFactorDisabled':
      return { status: 'none' };
  }
}

function refused(
  state: PendingFactor | EnrolledFactor,
  { at, count }: DataOf<SecondFactorEvent, 'SecondFactorCodeRefused'>,
): SecondFactor {
  const refusals = [at, ...state.refusals].slice(0, allowedRefusals);
  if (state.status === 'pending') return { ...state, refusals };
  return { ...state, refusals, failures: count ?? state.failures };
}

function confirm(state: PendingFactor, event: SecondFactorEvent): SecondFactor {
  if (event.type !== 'SecondFactorConfirmed') return state;
  const { step, recoveryCodes } = event.data;
  return { ...state, status: 'enrolled', usedSteps: [step], recoveryCodes, failures: 0 };
}

/** A mail to the owner. */
export interface SecondFactorMail {
  readonly template: 'second-factor-attempts' | 'second-factor-removed';
  readonly accountId: AccountId;
}

/** The mails that an event causes. */
export function secondFactorMails({ type, data }: SecondFactorEvent): readonly SecondFactorMail[] {
  const { accountId } = data;
  if (type === 'SecondFactorCodeRefused' && data.count === noticedFailures)
    return [{ template: 'second-factor-attempts', accountId }];
  if (type === 'SecondFactorDisabled' && data.by === 'staff')
    return [{ template: 'second-factor-removed', accountId }];
  return [];
}
