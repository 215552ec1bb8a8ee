import type { Target } from '../../../../contracts/resources/target.ts';
import { targetNames } from '../../../../contracts/resources/target.ts';
import { pageFailure } from '../../node/driver.ts';

/** A target as the page's script takes it: the frames it is in apart from what names it there. */
export interface Located {
  readonly frame: readonly string[];
  readonly target: Omit<Target, 'frame'> | { readonly handle: number };
}

type Named = Target & { readonly handle?: number };

/** The element that an action names; undefined where it names none. */
export function targetOf(named: Named): Located | undefined {
  const { selector, text, label, role, name, placeholder, test_id, handle } = named;
  const frame = framesOf(named.frame);
  if (handle !== undefined) return { frame, target: { handle } };
  const given = { selector, text, label, role, placeholder, test_id };
  const names = targetNames.filter((key) => given[key] !== undefined);
  if (names.length > 1)
    throw pageFailure('invalid_request', `Name the element in one way, not by ${names.join(' and ')}.`);
  const [only] = names;
  if (only === undefined) return undefined;
  return {
    frame,
    target: { [only]: given[only], ...(role !== undefined && name !== undefined && { name }) },
  };
}

export function requireTarget(named: Named): Located {
  const located = targetOf(named);
  if (!located) throw pageFailure('invalid_request', `Name the element by one of ${targetNames.join(', ')}.`);
  return located;
}

/** From the outermost frame inwards. */
export const framesOf = (frame: Target['frame'] | undefined = []): readonly string[] =>
  typeof frame === 'string' ? [frame] : frame;
