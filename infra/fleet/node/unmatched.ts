/** What an extraction says for itself that found nothing. */
export const unmatchedDetail =
  'Nothing on the page matches the schema. A property is looked for by its x-selector or, without one, by its name as an ' +
  'itemprop, data-field, name, id or class.';

/** The same finding, which says so when there is none. */
export const explained = <F extends { readonly matched: boolean }>(finding: F): F & { detail?: string } =>
  finding.matched ? finding : { ...finding, detail: unmatchedDetail };
