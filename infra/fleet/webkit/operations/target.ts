import type { Target } from '../../../../contracts/resources/target.ts';
import { targetNames } from '../../../../contracts/resources/target.ts';
import { pageFailure } from '../../node/driver.ts';

/**
 * A target for the page's script, with its frames separated. A `ref` of the script is a number. The `handle` of an upload names a file, not
 * an element.
 */
export interface Located {
  readonly frame: readonly FrameStep[];
  readonly target: Omit<Target, 'frame'> | { readonly handle: number };
}

/** A frame by its selector, or by the ref of an observed element, at any depth. */
type FrameStep = string | { readonly ref: string };

/** The target of an action; undefined if it has none. */
export function targetOf(named: Target): Located | undefined {
  const { selector, text, label, role, name, placeholder, test_id, ref } = named;
  const outer = framesOf(named.frame);
  const frame = ref === undefined ? outer : [...outer, { ref }];
  const given = { selector, text, label, role, placeholder, test_id, ref };
  const names = targetNames.filter((key) => given[key] !== undefined);
  if (names.length > 1)
    throw pageFailure('invalid_request', `Name the element in one way, not by ${names.join(' and ')}.`);
  if (name !== undefined && role === undefined)
    throw pageFailure('invalid_request', 'A name goes with a role: name the element by both.');
  const [only] = names;
  if (only === undefined) return undefined;
  return {
    frame,
    target: { [only]: given[only], ...(role !== undefined && name !== undefined && { name }) },
  };
}

export function requireTarget(named: Target): Located {
  const located = targetOf(named);
  if (!located) throw pageFailure('invalid_request', `Name the element by one of ${targetNames.join(', ')}.`);
  return located;
}

/** From the outermost frame inwards. */
export const framesOf = (frame: Target['frame'] | undefined = []): readonly string[] =>
  typeof frame === 'string' ? [frame] : frame;
