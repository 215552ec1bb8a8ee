import { Type, Timestamp, closed, requestBody, type Static } from '../schema.ts';

const Cents = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });
const fields = {
  bundled_llm_consent: Type.Boolean(),
  bundled_llm_monthly_cap_usd_cents: Cents,
};

export const BundledLlmSettings = closed(fields);
export type BundledLlmSettings = Static<typeof BundledLlmSettings>;
export const UpdateBundledLlmSettings = requestBody({
  bundled_llm_consent: Type.Optional(fields.bundled_llm_consent),
  bundled_llm_monthly_cap_usd_cents: Type.Optional(fields.bundled_llm_monthly_cap_usd_cents),
});

export const BundledLlmStatus = closed({
  available: Type.Boolean({ description: 'Whether this deployment offers a bundled model.' }),
  spent_cents: Cents,
  cap_cents: Cents,
  period_start: Timestamp,
  resets_at: Timestamp,
});
export type BundledLlmStatus = Static<typeof BundledLlmStatus>;

/** An account's settings. Amounts are in US cents. */
export interface BundledLlmState {
  readonly consent: boolean;
  /** The account's own cap; null: none. */
  readonly capCents: number | null;
  /** The ceiling set by staff; null: the deployment's default. */
  readonly ceilingCents: number | null;
}

/** The effective monthly cap in US cents: the account's own, at most the present ceiling. */
export function monthlyCap(
  { capCents, ceilingCents }: Pick<BundledLlmState, 'capCents' | 'ceilingCents'>,
  defaultCents: number,
): number {
  const ceiling = ceilingCents ?? defaultCents;
  return Math.min(capCents ?? ceiling, ceiling);
}

export const presentBundledLlm = (settings: BundledLlmState, defaultCents: number): BundledLlmSettings => ({
  bundled_llm_consent: settings.consent,
  bundled_llm_monthly_cap_usd_cents: monthlyCap(settings, defaultCents),
});
