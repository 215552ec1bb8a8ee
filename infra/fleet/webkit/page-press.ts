import { Type, closed, nullable } from '../../../contracts/schema.ts';
import type { OperationLimits } from '../node/driver.ts';
import { shape } from '../shape.ts';
import { ask, valueOf, within } from './ask.ts';
import type { Instance } from './instance.ts';
import type { Located } from './operations/target.ts';
import type { FingerStep } from './steps.ts';

export interface Press {
  readonly steps: readonly FingerStep[];
  readonly multiple: boolean;
  /** Whether the press must end in a click. */
  readonly expectsClick: boolean;
}

export interface Pressed {
  readonly matches: number;
  readonly arrived: boolean;
}

const pressed = shape(closed({ aimed: Type.Unknown(), verdict: Type.Unknown() }));
const aimed = shape(Type.Object({ matches: Type.Integer() }));
const verdict = shape(nullable(Type.Object({ arrived: Type.Boolean() })));

export async function press(
  instance: Instance,
  located: Located,
  { expectsClick, ...gesture }: Press,
  limits: OperationLimits,
): Promise<Pressed> {
  const time = { within: within(limits) };
  const input = {
    ...gesture,
    announce_ms: instance.announce.ms,
    aim: { ...located, ...time },
    verdict: { frame: located.frame, expectsClick, ...time },
  };
  const reply = await ask(instance, 'press', input, pressed, limits);
  const { matches } = valueOf('aim', reply.aimed, aimed);
  // If the press has replaced the document, it cannot report that it arrived.
  const came = reply.verdict === null ? null : valueOf('verdict', reply.verdict, verdict);
  return { matches, arrived: came?.arrived ?? true };
}
