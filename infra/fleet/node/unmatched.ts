/** Detail of an extraction that found nothing. */
const unmatchedDetail =
  'Nothing on the page matches the schema. A property is looked for by its x-selector or, without one, by its name as an ' +
  'itemprop, data-field, name, id or class.';

/** The same finding, with a detail if nothing matched. */
export const explained = <F extends { readonly matched: boolean }>(finding: F): F & { detail?: string } =>
  finding.matched ? finding : { ...finding, detail: unmatchedDetail };
