import type { FieldError } from '../../contracts/field-errors.ts';
import { OutboundRefused, type OutboundGuard } from './guard.ts';

/** What may be asked for, as far as an address says it of itself. */
export type AddressRules = Pick<OutboundGuard, 'checkText'>;

/** What is wrong with the address in the field that `path` points at. */
export function addressErrors(path: string, url: string, rules: AddressRules): readonly FieldError[] {
  try {
    rules.checkText(url);
    return [];
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    return [{ path, code: 'address', message: asPredicate(error.message) }];
  }
}

/** A sentence of its own as the end of one that begins with the field. */
const asPredicate = (sentence: string): string =>
  `is refused: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
