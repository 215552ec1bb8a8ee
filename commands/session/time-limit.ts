import type { OperationInput } from '../../contracts/fleet/operations.ts';
import type { Operation } from '../../contracts/operations.ts';
import { longestTimeoutMs } from '../../contracts/resources/operation-timeout.ts';
import type { Action } from '../../contracts/resources/session.ts';

function actionMs(action: Action): number {
  if (action.kind === 'type') return Array.from(action.text).length * (action.delay_ms ?? 0);
  return 'duration_ms' in action ? (action.duration_ms ?? 0) : 0;
}

type OwnTimes = { readonly [O in Operation]?: (input: OperationInput<O>) => number };

/** Milliseconds that an operation takes by itself, whatever the page does. */
const ownTimes: OwnTimes = {
  interact: ({ action }) => actionMs(action),
  wait: ({ condition }) => (condition.kind === 'delay' ? condition.ms : 0),
};

/**
 * The default time limit of an operation in milliseconds: `usualMs` and what the operation takes by itself, together at most what a
 * request may ask for.
 */
export function defaultTimeLimit<O extends Operation>(
  operation: O,
  input: OperationInput<O>,
  usualMs: number,
): number {
  const ownTime: OwnTimes[O] = ownTimes[operation];
  return Math.min(longestTimeoutMs, usualMs + (ownTime?.(input) ?? 0));
}
