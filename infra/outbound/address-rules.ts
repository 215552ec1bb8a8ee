import type { FieldError } from '../../contracts/field-errors.ts';
import { OutboundRefused, type OutboundGuard } from './guard.ts';

/** The checks of an address that need only its text. */
export type AddressRules = Pick<OutboundGuard, 'checkText'>;

/** Errors of an address in the field at `path`. */
export function addressErrors(path: string, url: string, rules: AddressRules): readonly FieldError[] {
  try {
    rules.checkText(url);
    return [];
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    return [{ path, code: 'address', message: asPredicate(error.message) }];
  }
}

/** Rephrases a sentence as the end of one that starts with the field's name. */
const asPredicate = (sentence: string): string =>
  `is refused: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
