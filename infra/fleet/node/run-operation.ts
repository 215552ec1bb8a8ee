import type { Logger } from 'pino';
import type { OperationDispatch, OperationOutcome } from '../../../contracts/fleet/protocol.ts';
import { operationSchemas, type OperationInput } from '../../../contracts/fleet/operations.ts';
import type { Operation } from '../../../contracts/operations.ts';
import { within } from '../../platform/timeout.ts';
import { shape, type Shape } from '../shape.ts';
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
  /** Milliseconds beyond the operation's own timeout after which a browser that has not answered is given up. */
  readonly graceMs: number;
  /** Bytes of JSON a result may have. */
  readonly maxResultBytes: number;
}

const inputs: { readonly [O in Operation]: Shape<OperationInput<O>> } = {
  navigate: shape(operationSchemas.navigate.input),
  interact: shape(operationSchemas.interact.input),
  wait: shape(operationSchemas.wait.input),
  state_capture: shape(operationSchemas.state_capture.input),
  capture: shape(operationSchemas.capture.input),
  extract: shape(operationSchemas.extract.input),
  search: shape(operationSchemas.search.input),
  login: shape(operationSchemas.login.input),
};

/** Runs one operation to an outcome: never rejects, and never takes longer than its timeout and the grace. */
export async function runOperation(
  browser: Browser,
  dispatch: OperationDispatch,
  { logger, graceMs, maxResultBytes }: RunOptions,
): Promise<OperationOutcome> {
  const limits = limitsOf(dispatch.timeout_ms);
  try {
    const work = perform(browser, dispatch.operation, dispatch.input, limits);
    const result = await within(dispatch.timeout_ms + graceMs, work, () =>
      silentFailure('The browser did not answer in time.'),
    );
    if (JSON.stringify(result).length > maxResultBytes) {
      throw pageFailure('result_too_large', `The result is larger than ${maxResultBytes} bytes.`);
    }
    return { outcome: 'succeeded', result };
  } catch (error) {
    if (error instanceof OperationFailed) return { outcome: 'failed', failure: error.failure };
    logger.error({ err: error, operation: dispatch.operation }, 'The driver failed.');
    return { outcome: 'failed', failure: driverFailure('The browser stopped working.').failure };
  }
}

function perform<O extends Operation>(
  browser: Browser,
  operation: O,
  input: unknown,
  limits: OperationLimits,
): Promise<unknown> {
  const expected: Shape<OperationInput<O>> = inputs[operation];
  if (!expected.is(input)) {
    throw pageFailure('invalid_request', `This is not an input of ${operation}.`);
  }
  return browser.operations[operation](input, limits);
}
