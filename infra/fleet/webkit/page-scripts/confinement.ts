import { activeElement } from './dom.ts';
import { refusal } from './failure.ts';

/** Where alone something may be brought: registrable domains, or `=` and a host. `else`: what is said anywhere else. */
export interface Confinement {
  readonly sites: readonly string[];
  readonly else: string;
}

/** Of what an operation brings to a field. */
export interface Confined {
  readonly onlyOn?: Confinement;
}

/** Throws unless this document is of one of the sites, and so is where the field's form is sent to. */
export function assertMayTake(field: Element | null, { onlyOn }: Confined): void {
  if (!onlyOn) return;
  for (const host of [location.hostname, ...hostsOfForm(field)])
    if (!onlyOn.sites.some((site) => isOf(host, site))) throw refusal(onlyOn.else);
}

/** Whatever has the focus in this document. */
export const mayTake = (confined: Confined): null => {
  assertMayTake(activeElement(), confined);
  return null;
};

const isOf = (host: string, site: string): boolean =>
  site.startsWith('=') ? host === site.slice(1) : host === site || host.endsWith(`.${site}`);

/** Hosts that the field's form may be sent to. A form has fields in the place of its own properties where the page names them so. */
function hostsOfForm(field: Element | null): string[] {
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
    return url === null || url.hostname === '' ? [] : [url.hostname];
  });
}
