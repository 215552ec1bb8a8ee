/**
 * What of a customer's own words is in clear in the log after an erasure, by the fields that they were sent in, and why. docs/people.md
 * lists the same. What is sealed leaves this table.
 */
export const kept: Readonly<Record<string, { readonly why: string; readonly fields: readonly string[] }>> = {
  'labels and metadata of sessions': {
    why: 'in the events, the audit log and the bodies of deliveries as they were given',
    fields: ['sessions.create.label', 'sessions.create.metadata.*', 'profiles.launch.label'],
  },
  'names and descriptions of profiles and snapshots': {
    why: 'in the events and the audit log as they were given',
    fields: [
      ...['profiles.create.name', 'profiles.create.description', 'profiles.update.name'],
      ...['profiles.update.description', 'profiles.clone.name', 'profiles.import.name'],
      ...['profile-snapshots.create.label', 'profile-snapshots.create.description'],
      'profile-snapshots.restore.name',
    ],
  },
  'names of API keys': {
    why: 'in the events, the audit log and the bodies of deliveries as they were given',
    fields: ['api-keys.create.name'],
  },
  'addresses and descriptions of endpoints': {
    why: 'in the events and the audit log as they were given',
    fields: ['webhooks.create.url', 'webhooks.create.description', 'webhooks.update.description'],
  },
  'labels, hosts and user names of proxies': {
    why: 'in the events and the audit log as they were given; passwords are sealed',
    fields: ['create', 'update'].flatMap((route) =>
      ['label', 'host', 'username'].map((field) => `proxies.${route}.${field}`),
    ),
  },
  'ids of clients that took over an agent session': {
    why: 'in the events and the audit log, which says who has control',
    fields: ['agent-sessions.takeover.client_id'],
  },
  'addresses to pay to': {
    why: 'what was paid where must be found again',
    fields: ['the address to pay to'],
  },
  'revisions of the terms': {
    why: 'what was agreed to, as the client named it',
    fields: ['legal.accept.revision', 'auth.signup.legal_revision'],
  },
  'programs that requests came from (`User-Agent`)': {
    why: 'evidence of who acted, in the audit log',
    fields: ['header User-Agent'],
  },
  'ids that clients gave their requests (`X-Request-Id`)': {
    why: 'a request is found by it in the audit log and in the logs of the processes',
    fields: ['header X-Request-Id'],
  },
};

/** Text fields that no text of the client's own is taken in. */
export const closedFields: readonly (readonly [fields: RegExp, why: string])[] = [
  [
    /\.(archetype|model|product|grant_type|scope)$|^oauth\..*client_id$|\(press\)\.key$/,
    'one of a few that there are',
  ],
  [/(token|_id|_code|\.code|\.handle)$/, 'something that the service gave out'],
  [/^profiles\.import\.data$/, 'an export, which is sealed'],
];
