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
  available: Type.Boolean({ description: 'Whether this deployment has a model to bundle.' }),
  spent_cents: Cents,
  cap_cents: Cents,
  period_start: Timestamp,
  resets_at: Timestamp,
});
export type BundledLlmStatus = Static<typeof BundledLlmStatus>;

/** What is set for an account. Amounts are cents of a US dollar. */
export interface BundledLlmState {
  readonly consent: boolean;
  /** What the account lowered its cap to; null when it has not. */
  readonly capCents: number | null;
  /** The most that staff let the account set; null: the deployment's default. */
  readonly ceilingCents: number | null;
}

/** The monthly cap that holds: the account's own, but never above what it may set now. */
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
