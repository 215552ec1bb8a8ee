/**
 * A customer's own words that are in clear in the log after an erasure, by the fields that they were sent in, and why.
 * docs/people.md lists the same. A field that becomes sealed is removed from this table.
 */
export const kept: Readonly<Record<string, { readonly why: string; readonly fields: readonly string[] }>> = {
  'ids of clients that took over an agent session, with the account or link by which they were connected': {
    why: 'the events and the audit log record who had control',
    fields: ['agent-sessions.takeover.client_id'],
  },
  'revisions of the terms': {
    why: 'they record what was agreed to, as the client named it',
    fields: ['legal.accept.revision', 'auth.signup.legal_revision'],
  },
  'programs that sent requests (`User-Agent`)': {
    why: 'they are evidence of who acted, in the audit log',
    fields: ['header User-Agent'],
  },
  'ids that clients gave their requests (`X-Request-Id`)': {
    why: 'a request is found by it in the audit log and in the logs of the processes',
    fields: ['header X-Request-Id'],
  },
};

/** Text fields that accept no text of the client's own. */
export const closedFields: readonly (readonly [fields: RegExp, why: string])[] = [
  [
    /\.(archetype|model|product|grant_type|scope)$|^oauth\..*client_id$|\(press\)\.key$/,
    'one of a few that there are',
  ],
  [/(token|_id|_code|\.code|\.handle)$/, 'something that the service gave out'],
  [/^profiles\.import\.data$/, 'an export, which is sealed'],
];
