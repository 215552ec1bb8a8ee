import {
  bundledLlmEvents,
  bundledSpendEvents,
  type BundledLlmEvent,
  type BundledSpendEvent,
} from '../contracts/events/bundled-llm.ts';
import { invalid } from '../contracts/field-errors.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { BundledLlmState } from '../contracts/resources/bundled-llm.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';

export type BundledLlmCommand = CommandsOf<{
  /** Undefined fields stay as they are. */
  ChangeBundledLlm: {
    accountId: AccountId;
    consent: boolean | undefined;
    capCents: number | undefined;
    /** Default ceiling of the cap, without an override by staff. */
    defaultCents: number;
  };
  SetBundledCeiling: { accountId: AccountId; ceilingCents: number | null };
}>;

const rules: Rules<BundledLlmState, BundledLlmCommand, BundledLlmEvent> = {
  ChangeBundledLlm(state, { accountId, defaultCents, at, ...changes }) {
    const { consent = state.consent, capCents = state.capCents } = changes;
    const ceiling = state.ceilingCents ?? defaultCents;
    if (changes.capCents !== undefined && changes.capCents > ceiling) throw aboveCeiling(ceiling);
    if (consent === state.consent && capCents === state.capCents) return [];
    return [{ type: 'BundledLlmChanged', data: { accountId, consent, capCents, at } }];
  },
  SetBundledCeiling(state, { type: _, ...data }) {
    return data.ceilingCents === state.ceilingCents ? [] : [{ type: 'BundledLlmCeilingSet', data }];
  },
};

const aboveCeiling = (ceiling: number) =>
  invalid({
    path: '/body/bundled_llm_monthly_cap_usd_cents',
    code: 'maximum',
    message: `must be at most ${ceiling}`,
  });

/** An account's settings of the bundled model. */
export const bundledLlm: Decider<BundledLlmState, BundledLlmCommand, BundledLlmEvent> = {
  category: bundledLlmEvents,
  initialState: { consent: false, capCents: null, ceilingCents: null },
  decide: decideBy(rules),
  evolve: (state, { type, data }) =>
    type === 'BundledLlmChanged'
      ? { ...state, consent: data.consent, capCents: data.capCents }
      : { ...state, ceilingCents: data.ceilingCents },
  snapshotEvery: 200,
};

/** Turns by id; a refunded one costs nothing. */
type CountedTurns = Readonly<Record<string, { readonly cents: number }>>;

/** An account's spending in one calendar month, and the turns counted in it, refunded ones included. */
export interface BundledSpend {
  readonly totalCents: number;
  /** The last counted or refunded turns. */
  readonly turns: CountedTurns;
  /**
   * Those before them, oldest first, in tables that no change copies. A turn in several has the cost of the last one. Absent if there
   * are none.
   */
  readonly earlierTurns?: readonly CountedTurns[];
}

/** Turns in `turns`, which every change copies, before they are moved. */
const longestTail = 64;

/** However many turns a month has had, this copies as much as for the first ones. */
function withTurn(
  { turns, earlierTurns }: BundledSpend,
  turnId: string,
  cents: number,
): Omit<BundledSpend, 'totalCents'> {
  const changed = { ...turns, [turnId]: { cents } };
  if (Object.keys(changed).length < longestTail)
    return { turns: changed, ...(earlierTurns && { earlierTurns }) };
  return { turns: {}, earlierTurns: [...(earlierTurns ?? []), changed] };
}

/** The cost of a counted turn; undefined for any other. */
function centsOf({ turns, earlierTurns = [] }: BundledSpend, turnId: string): number | undefined {
  const isIn = (table: CountedTurns) => Object.hasOwn(table, turnId);
  const table = isIn(turns) ? turns : earlierTurns.findLast(isIn);
  return table?.[turnId]?.cents;
}

type OfTurn = { accountId: AccountId; month: string; turnId: string };

export type BundledSpendCommand = CommandsOf<{
  /** Refused if the month would cost more than `capCents`. */
  ReserveSpend: OfTurn & { cents: number; capCents: number };
  /** Releases the turn's reservation unused. */
  ReturnSpend: OfTurn;
}>;

/**
 * An account's spending in one calendar month; the next month has a stream of its own. A turn is counted once, in the month in
 * which it began, and refunded at most once.
 */
export const bundledSpend: Decider<BundledSpend, BundledSpendCommand, BundledSpendEvent> = {
  category: bundledSpendEvents,
  initialState: { totalCents: 0, turns: {} },
  decide: decideBy<BundledSpend, BundledSpendCommand, BundledSpendEvent>({
    ReserveSpend(state, { type: _, capCents, ...data }) {
      if (centsOf(state, data.turnId) !== undefined) return [];
      const { totalCents: spent } = state;
      const totalCents = spent + data.cents;
      if (totalCents > capCents) throw exhausted(spent, capCents);
      return [{ type: 'BundledLlmSpent', data: { ...data, totalCents } }];
    },
    ReturnSpend(state, { type: _, ...data }) {
      const cents = centsOf(state, data.turnId) ?? 0;
      if (cents === 0) return [];
      const totalCents = state.totalCents - cents;
      return [{ type: 'BundledLlmReturned', data: { ...data, cents, totalCents } }];
    },
  }),
  evolve: (state, { type, data }) => ({
    totalCents: data.totalCents,
    ...withTurn(state, data.turnId, type === 'BundledLlmSpent' ? data.cents : 0),
  }),
  snapshotEvery: 100,
  stateVersion: 2,
};

const exhausted = (spent_cents: number, cap_cents: number) =>
  refuse(
    'bundled-llm-budget-exhausted',
    'The bundled model has been used for as much as the account may spend this month. Store a model-provider key of your own, or wait for the next month.',
    { spent_cents, cap_cents },
  );
