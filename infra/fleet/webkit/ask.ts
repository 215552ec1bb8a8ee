import { failureCategories, type FailureCategory } from '../../../contracts/operations.ts';
import { Type, closed, oneOf } from '../../../contracts/schema.ts';
import { OperationFailed, driverFailure, type OperationLimits } from '../node/driver.ts';
import { shape, type Shape } from '../shape.ts';
import type { Instance } from './instance.ts';
import { translate } from './page-failures.ts';

export const nothing = shape(Type.Null());

/** Sends a command to the host and returns its reply, checked against this shape. Throws `OperationFailed`. */
export async function ask<T>(
  { host }: Instance,
  command: string,
  input: unknown,
  expected: Shape<T>,
  limits: OperationLimits,
  category: FailureCategory = 'unknown',
): Promise<T> {
  const reply = await host
    .send(command, input, limits.signal)
    .catch((error: unknown) => Promise.reject(translate(error, limits, category)));
  if (!expected.is(reply)) throw unreadable(command);
  return reply;
}

export const unreadable = (command: string) =>
  driverFailure(`The browser gave no answer to ${command} that can be read.`);

const failed = shape(
  closed({
    failure: closed({
      kind: oneOf(['page', 'timeout']),
      category: oneOf(failureCategories),
      reason: Type.String(),
    }),
  }),
);
const answered = shape(closed({ value: Type.Unknown() }));

/** The result of an operation of the page's script. */
export function valueOf<T>(script: string, reply: unknown, expected: Shape<T>): T {
  if (failed.is(reply)) throw new OperationFailed(reply.failure);
  if (!answered.is(reply) || !expected.is(reply.value)) throw unreadable(script);
  return reply.value;
}

/**
 * Milliseconds that the page itself may wait: a little less than remains, so that the page can report which condition
 * it waited for.
 */
export function within({ timeoutMs, endsAt }: OperationLimits): number {
  return Math.max(0, endsAt - performance.now() - Math.min(150, timeoutMs / 5));
}
