import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { archetypeCatalogue, findArchetype } from '../../../../contracts/archetypes.ts';
import {
  liveSchemas,
  operationSchemas,
  type LiveInput,
  type LiveOperation,
  type LiveResult,
  type OperationInput,
  type OperationResult,
} from '../../../../contracts/fleet/operations.ts';
import type { DispatchFailure } from '../../../../contracts/fleet/protocol.ts';
import type { Operation } from '../../../../contracts/operations.ts';
import { toId } from '../../../../contracts/ids.ts';
import { createOutboundGuard } from '../../../outbound/guard.ts';
import { parseAllowList } from '../../../outbound/address-policy.ts';
import { tempDir } from '../../../verification/testbed/index.ts';
import { OperationFailed, type Browser, type Driver, type LaunchOptions } from '../../node/driver.ts';
import { Uploads } from '../../node/uploads.ts';
import { runLive, runOperation } from '../../node/run-operation.ts';
import { shape, type Shape } from '../../shape.ts';
import { createWebKitDriver, type WebKitDriverOptions } from '../index.ts';

export const logger = pino({ level: 'silent' });
const loopback = parseAllowList('127.0.0.0/8');

/** Result of an operation, checked against the contract's schema. */
export async function run<O extends Operation>(
  browser: Browser,
  operation: O,
  input: OperationInput<O>,
  timeout_ms = 20_000,
) {
  const options = { logger, graceMs: 3_000, maxResultBytes: 2_000_000 };
  const dispatch = { dispatch_id: randomUUID(), operation, input, timeout_ms };
  const outcome = await runOperation(browser, dispatch, options);
  if (outcome.outcome === 'failed') throw new Failed(outcome.failure);
  const expected = shape(operationSchemas[operation].result);
  if (!expected.is(outcome.result))
    throw new Error(`Not a ${operation} result: ${JSON.stringify(outcome.result)}`);
  return outcome.result as OperationResult<O>;
}

/** Result of a call beside the operations. */
export async function ask<O extends LiveOperation>(
  browser: Browser,
  operation: O,
  input: LiveInput<O>,
  timeout_ms = 5_000,
) {
  const options = { logger, graceMs: 0, maxResultBytes: 4_000_000 };
  const outcome = await runLive(
    browser,
    { find: () => Promise.resolve(null) },
    { dispatch_id: randomUUID(), operation, input, timeout_ms },
    options,
  );
  if (outcome.outcome === 'failed') throw new Failed(outcome.failure);
  const expected: Shape<LiveResult<O>> = shape(liveSchemas[operation].result) as Shape<LiveResult<O>>;
  if (!expected.is(outcome.result))
    throw new Error(`Not a ${operation} result: ${JSON.stringify(outcome.result)}`);
  return outcome.result;
}
class Failed extends Error {
  readonly failure: DispatchFailure;
  constructor(failure: DispatchFailure) {
    super(`${failure.kind}: ${failure.category}: ${failure.reason}`);
    this.failure = failure;
  }
}
/** The failure that the promise rejects with. */
export async function failure(work: Promise<unknown>): Promise<DispatchFailure> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Failed || error instanceof OperationFailed) return error.failure;
  throw new Error('It did not fail as an outcome does.', { cause: error });
}

/** A driver that may open pages on loopback. With a pool, its first browser has started. */
export async function startDriver(options: Partial<WebKitDriverOptions> = {}) {
  const driver = await createWebKitDriver({
    guard: createOutboundGuard({ allow: loopback }),
    logger,
    runtimeDir: tempDir('webkit'),
    poolSize: 0,
    ...options,
  });
  if (options.poolSize) await driver.ready();
  return driver;
}
export async function launch(
  driver: Driver,
  archetypeId = archetypeCatalogue.default,
  { uploads = new Uploads(tempDir('uploads')), ...others }: Partial<LaunchOptions> = {},
): Promise<Browser> {
  const archetype = findArchetype(archetypeId);
  if (!archetype) throw new Error(`There is no ${archetypeId}.`);
  return driver.launch(toId('session', randomUUID()), archetype, { uploads, tenant: 'one', ...others });
}
