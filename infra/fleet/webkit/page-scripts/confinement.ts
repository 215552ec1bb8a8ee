import { isOf } from '../../sites.ts';
import { activeElement } from './dom.ts';
import { refusal } from './failure.ts';

/**
 * The sites that data may go to, as in `only_on` of an operation. `else`: the reason of the failure anywhere else.
 */
export interface Confinement {
  readonly sites: readonly string[];
  readonly else: string;
}

/** Input of an operation that enters data into a field. */
export interface Confined {
  readonly onlyOn?: Confinement;
}

/** Throws unless this document, and the target of the field's form, are of one of the sites. */
export function assertMayTake(field: Element | null, { onlyOn }: Confined): void {
  if (!onlyOn) return;
  for (const address of [location, ...targetsOfForm(field)])
    if (!onlyOn.sites.some((site) => isOf(address, site))) throw refusal(onlyOn.else);
}

/** Throws unless input may go to the focused element of this document. */
export const mayTake = (confined: Confined): null => {
  assertMayTake(activeElement(), confined);
  return null;
};

/**
 * Addresses that the field's form may be sent to, of those with a host. Read from attributes, as fields of the same name hide a form's
 * properties.
 */
function targetsOfForm(field: Element | null): URL[] {
  const owned = field && 'form' in field ? field.form : null;
  const form = owned instanceof HTMLFormElement ? owned : field?.closest('form');
  if (!form) return [];
  const submits = [...document.querySelectorAll('[formaction]')].filter(
    (each) => 'form' in each && each.form === form,
  );
  const actions = [
    Element.prototype.getAttribute.call(form, 'action'),
    ...submits.map((each) => each.getAttribute('formaction')),
  ];
  return actions.flatMap((action) => {
    const url = action && URL.canParse(action, document.baseURI) ? new URL(action, document.baseURI) : null;
    return url === null || url.hostname === '' ? [] : [url];
  });
}
