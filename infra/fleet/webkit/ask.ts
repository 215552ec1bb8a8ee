import type { FailureCategory } from '../../../contracts/operations.ts';
import { Type } from '../../../contracts/schema.ts';
import { driverFailure, type OperationLimits } from '../node/driver.ts';
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
