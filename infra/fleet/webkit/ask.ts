import { failureCategories, type FailureCategory } from '../../../contracts/operations.ts';
import { Type, closed, oneOf } from '../../../contracts/schema.ts';
import { OperationFailed, driverFailure, type OperationLimits } from '../node/driver.ts';
import { shape, type Shape } from '../shape.ts';
import type { Instance } from './instance.ts';
import { translate } from './page-failures.ts';

export const nothing = shape(Type.Null());

/** What the host answers to a command, of this shape. Fails with an `OperationFailed`. */
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

/** What an operation of the page's script gave. */
export function valueOf<T>(script: string, reply: unknown, expected: Shape<T>): T {
  if (failed.is(reply)) throw new OperationFailed(reply.failure);
  if (!answered.is(reply) || !expected.is(reply.value)) throw unreadable(script);
  return reply.value;
}

/** What the page's own waiting may take: a little less than is left, so that it says itself what it waited for. */
export function within({ timeoutMs, endsAt }: OperationLimits): number {
  return Math.max(0, endsAt - performance.now() - Math.min(150, timeoutMs / 5));
}
