import {
  secondFactorEvents,
  type FactorUse,
  type SecondFactorEvent,
} from '../contracts/events/second-factor.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';

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
    return [disabled(enrolled, at)];
  },
  Remove: (state, { at }) => (state.status === 'enrolled' ? [disabled(state, at)] : []),
};

const disabled = ({ accountId }: EnrolledFactor, at: string): SecondFactorEvent => ({
  type: 'SecondFactorDisabled',
  data: { accountId, at },
});

function assertEnrolled(state: SecondFactor): EnrolledFactor {
  if (state.status !== 'enrolled') throw refuse('conflict', 'No second factor is enrolled.');
  return state;
}

/**
 * Refuses after too many wrong codes. After a clock was set back, a refusal with a later time counts as long as an
 * earlier one.
 */
function assertTriesLeft({ refusals }: Enrolling, at: string): void {
  const now = Date.parse(at);
  const recent = refusals.map(Date.parse).filter((time) => Math.abs(now - time) < refusalWindowMs);
  if (recent.length < allowedRefusals) return;
  const wait = Math.min(Math.min(...recent) + refusalWindowMs - now, refusalWindowMs);
  throw refuse('rate-limited', 'Too many wrong codes. Wait before you try another one.', {
    retry_after_seconds: Math.max(1, Math.ceil(wait / 1000)),
  });
}

/** All recent steps are stored, not only the newest, so that codes of neighbouring steps work in any order, each once. */
const isUnusedStep = (state: EnrolledFactor, { sealedSecret, step }: GivenCode): boolean =>
  step !== null && sealedSecret === state.sealedSecret && !state.usedSteps.includes(step);

/** The unused recovery code that matches. */
const recoveryCodeOf = (state: EnrolledFactor, { recoveryCodes }: GivenCode): string | undefined =>
  recoveryCodes.find((each) => state.recoveryCodes.includes(each));

const refusal = ({ accountId }: Enrolling, at: string): readonly SecondFactorEvent[] => [
  { type: 'SecondFactorCodeRefused', data: { accountId, at } },
];

export const secondFactor: Decider<SecondFactor, SecondFactorCommand, SecondFactorEvent> = {
  category: secondFactorEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
};

function evolve(state: SecondFactor, event: SecondFactorEvent): SecondFactor {
  if (event.type === 'SecondFactorEnrolmentBegun') {
    if (state.status === 'enrolled') return state;
    const { accountId, sealedSecret } = event.data;
    const refusals = state.status === 'pending' ? state.refusals : [];
    return { status: 'pending', accountId, sealedSecret, refusals };
  }
  if (state.status === 'none') return state;
  if (event.type === 'SecondFactorCodeRefused')
    return { ...state, refusals: [event.data.at, ...state.refusals].slice(0, allowedRefusals) };
  if (state.status === 'pending') return confirm(state, event);
  switch (event.type) {
    case 'SecondFactorConfirmed':
      return state;
    case 'SecondFactorCodeUsed':
      return { ...state, usedSteps: [event.data.step, ...state.usedSteps].slice(0, rememberedSteps) };
    case 'RecoveryCodeUsed': {
      const { recoveryCode } = event.data;
      return { ...state, recoveryCodes: state.recoveryCodes.filter((each) => each !== recoveryCode) };
    }
    case 'SecondFactorDisabled':
      return { status: 'none' };
  }
}

function confirm(state: PendingFactor, event: SecondFactorEvent): SecondFactor {
  if (event.type !== 'SecondFactorConfirmed') return state;
  const { step, recoveryCodes } = event.data;
  return { ...state, status: 'enrolled', usedSteps: [step], recoveryCodes };
}
