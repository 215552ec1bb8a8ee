import { dayMs, hourMs } from '../../contracts/durations.ts';
import { after, isBefore } from '../kit/time.ts';
import type { ExistingOrder } from './state.ts';

/** Milliseconds after an order's end at which the processor is asked again: money may come late, and its callback be lost. */
const checksAfterMs = [hourMs, dayMs, 3 * dayMs, 7 * dayMs];

/** The due times of the checks of an order that ends at `at`, the earliest first. */
export const checksAfter = (at: string): string[] => checksAfterMs.map((ms) => after(at, ms));

/** The due times after `at`. */
export const checksLeft = ({ checksAt = [] }: Pick<ExistingOrder, 'checksAt'>, at: string): string[] =>
  checksAt.filter((due) => isBefore(at, due));

/** True if the processor is to be asked about the payments of the ended order. */
export const isCheckDue = (order: Pick<ExistingOrder, 'checksAt'>, at: string): boolean =>
  checksLeft(order, at).length < (order.checksAt?.length ?? 0);
