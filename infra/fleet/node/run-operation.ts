import type { Logger } from 'pino';
import {
  longestReason,
  type DispatchFailure,
  type LiveDispatch,
  type OperationDispatch,
  type OperationOutcome,
} from '../../../contracts/fleet/protocol.ts';
import {
  liveSchemas,
  operationSchemas,
  type LiveInput,
  type LiveOperation,
  type LiveResult,
  type OperationInput,
  type OperationResult,
} from '../../../contracts/fleet/operations.ts';
import type { Operation } from '../../../contracts/operations.ts';
import { within } from '../../platform/timeout.ts';
import { inSpan } from '../../tracing/index.ts';
import type { KeptCaptures } from './kept-captures.ts';
import { resultLength } from './outcome-json.ts';
import { shapesOf, type Shape } from '../shape.ts';
import {
  OperationFailed,
  driverFailure,
  limitsOf,
  pageFailure,
  silentFailure,
  type Browser,
  type OperationLimits,
} from './driver.ts';

export interface RunOptions {
  readonly logger: Logger;
  /** Milliseconds after the operation's own timeout until an unresponsive browser is given up. */
  readonly graceMs: number;
  /** Maximal bytes of a result as JSON. */
  readonly maxResultBytes: number;
}

const inputs: { readonly [O in Operation]: Shape<OperationInput<O>> } = shapesOf(operationSchemas, 'input');
const liveInputs: { readonly [O in LiveOperation]: Shape<LiveInput<O>> } = shapesOf(liveSchemas, 'input');

/** Runs one operation to an outcome: never rejects, and takes at most its timeout and the grace. */
export const runOperation = (
  browser: Browser,
  { operation, input, timeout_ms }: OperationDispatch,
  options: RunOptions,
): Promise<OperationOutcome> =>
  run({ operation, timeout_ms }, options, (limits) => perform(browser, operation, input, limits));

/** The same for a call beside the operations. A browser that does not answer it may be busy, so there is no grace. */
export const runLive = (
  browser: Pick<Browser, 'live'>,
  kept: Pick<KeptCaptures, 'find'>,
  { operation, input, timeout_ms }: LiveDispatch,
  options: RunOptions,
): Promise<OperationOutcome> =>
  run({ operation, timeout_ms }, { ...options, graceMs: 0 }, (limits) =>
    performLive(liveOf(browser, kept), operation, input, limits),
  );

interface Asked {
  readonly operation: string;
  readonly timeout_ms: number;
}

const run = (
  asked: Asked,
  options: RunOptions,
  work: (limits: OperationLimits) => Promise<unknown>,
): Promise<OperationOutcome> =>
  inSpan({ name: `browser ${asked.operation}` }, async ({ fail }) => {
    const outcome = await runToOutcome(asked, options, work);
    if (outcome.outcome === 'failed') fail(outcome.failure.category);
    return outcome;
  });

async function runToOutcome(
  { operation, timeout_ms }: Asked,
  { logger, graceMs, maxResultBytes }: RunOptions,
  work: (limits: OperationLimits) => Promise<unknown>,
): Promise<OperationOutcome> {
  try {
    const result = await within(timeout_ms + graceMs, work(limitsOf(timeout_ms)), () =>
      silentFailure('The browser did not answer in time.'),
    );
    const outcome = { outcome: 'succeeded', result } as const;
    if (resultLength(outcome) > maxResultBytes) {
      throw pageFailure('result_too_large', `The result is larger than ${maxResultBytes} bytes.`);
    }
    return outcome;
  } catch (error) {
    return { outcome: 'failed', failure: failureOf(error, operation, logger) };
  }
}

/**
 * The failure that the protocol defines for an error. Unexpected errors mean that the browser is broken. A longer reason would be no
 * outcome, and end the session: it may name an element, whose page chose how long its name is.
 */
export function failureOf(error: unknown, operation: string, logger: Logger): DispatchFailure {
  if (error instanceof OperationFailed) {
    const { reason, ...failure } = error.failure;
    return { ...failure, reason: reason.slice(0, longestReason).toWellFormed() };
  }
  logger.error({ err: error, operation }, 'The driver failed.');
  return driverFailure('The browser stopped working.').failure;
}

async function perform<O extends Operation>(
  browser: Browser,
  operation: O,
  input: unknown,
  limits: OperationLimits,
): Promise<unknown> {
  const expected: Shape<OperationInput<O>> = inputs[operation];
  if (!expected.is(input)) throw notAnInput(operation);
  return browser.operations[operation](input, limits);
}

type AllLive = { readonly [O in LiveOperation]: LiveRun<O> };
type LiveRun<O extends LiveOperation> = (
  input: LiveInput<O>,
  limits: OperationLimits,
) => Promise<LiveResult<O>>;

const liveOf = ({ live }: Pick<Browser, 'live'>, kept: Pick<KeptCaptures, 'find'>): AllLive => ({
  ...live,
  kept_capture: ({ id }) => kept.find(id),
});

async function performLive<O extends LiveOperation>(
  live: AllLive,
  operation: O,
  input: unknown,
  limits: OperationLimits,
): Promise<unknown> {
  const expected: Shape<LiveInput<O>> = liveInputs[operation];
  if (!expected.is(input)) throw notAnInput(operation);
  return live[operation](input, limits);
}

const notAnInput = (operation: string) =>
  pageFailure('invalid_request', `This is not an input of ${operation}.`);

/** The element that an interaction acted on. */
export function metIn(outcome: OperationOutcome): OperationResult<'interact'>['met'] {
  // This node's own driver returned it for that operation.
  return outcome.outcome === 'succeeded' ? (outcome.result as OperationResult<'interact'>).met : undefined;
}
