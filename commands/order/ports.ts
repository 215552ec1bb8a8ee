import type { Tier } from '../../contracts/tiers.ts';
import { refuse } from '../../contracts/problems.ts';
import type { CryptoPayments } from '../../infra/crypto-payments/port.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface OrderPorts extends CommandPorts {
  /** Undefined if none is configured. */
  readonly payments: CryptoPayments | undefined;
}

/** A product: a tier for some days. */
export interface Product {
  readonly cents: number;
  readonly tier: Tier;
  readonly days: number;
}

export interface CheckoutPorts extends OrderPorts {
  /** By name. */
  readonly products: Readonly<Record<string, Product>>;
  /** How long an order may be paid, milliseconds. */
  readonly windowMs: number;
  /** Age in milliseconds at which pending orders are swept. */
  readonly sweepAfterMs: number;
}

export function configured({ payments }: Pick<OrderPorts, 'payments'>): CryptoPayments {
  if (payments === undefined)
    throw refuse('feature-unavailable', 'This service accepts no payments with crypto.');
  return payments;
}
