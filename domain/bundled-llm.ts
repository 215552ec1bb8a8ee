import {
  bundledLlmEvents,
  bundledSpendEvents,
  type BundledLlmEvent,
  type BundledSpendEvent,
} from '../contracts/events/bundled-llm.ts';
import { invalid } from '../contracts/field-errors.ts';
import type { AccountId } from '../contracts/ids.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';

/** Amounts are cents of a US dollar. */
export interface BundledLlmState {
  readonly consent: boolean;
  /** What the account lowered its monthly cap to; null when it has not. */
  readonly capCents: number | null;
  /** The most that staff let the account set; null: the deployment's default. */
  readonly ceilingCents: number | null;
}

export type BundledLlmCommand = CommandsOf<{
  /** An undefined field is left as it is. */
  ChangeBundledLlm: {
    accountId: AccountId;
    consent: boolean | undefined;
    capCents: number | undefined;
    /** The most that an account may set without staff. */
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

/** An account's use of the model that comes with the service. */
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

/** What an account has spent in one calendar month, and on which turns. */
export interface BundledSpend {
  readonly totalCents: number;
  readonly turns: Readonly<Record<string, true>>;
}

export type BundledSpendCommand = CommandsOf<{
  RecordSpend: { accountId: AccountId; month: string; turnId: string; cents: number };
}>;

/**
 * The spending of one account in one calendar month: the next month has a stream of its own and starts at nothing. A turn
 * counts once, in the month in which it began, however often its spending is recorded.
 */
export const bundledSpend: Decider<BundledSpend, BundledSpendCommand, BundledSpendEvent> = {
  category: bundledSpendEvents,
  initialState: { totalCents: 0, turns: {} },
  decide: decideBy<BundledSpend, BundledSpendCommand, BundledSpendEvent>({
    RecordSpend({ totalCents, turns }, { type: _, ...data }) {
      if (Object.hasOwn(turns, data.turnId)) return [];
      return [{ type: 'BundledLlmSpent', data: { ...data, totalCents: totalCents + data.cents } }];
    },
  }),
  evolve: ({ turns }, { data }) => ({
    totalCents: data.totalCents,
    turns: { ...turns, [data.turnId]: true },
  }),
  snapshotEvery: 100,
};
