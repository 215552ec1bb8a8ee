/** The areas of the API, by which references group routes. */
export const tags = {
  Account: 'The account, its limits and usage, and its audit log with proofs.',
  'Agent sessions': 'Agents in a browser: messages and their turns, the transcript, and control by a person.',
  'API keys': 'Keys of the account, with their scopes.',
  Archetypes: 'The device identities that a session can take.',
  Authentication: 'Signing up, logging in, second factors and passwords.',
  Billing: 'Orders, subscriptions, receipts and the bill.',
  Email: 'Pages behind the links of mails.',
  Events: 'Events of the account, the same that webhooks deliver.',
  OAuth: 'Signing in on devices and in programs (RFC 6749, RFC 8628).',
  Profiles: 'Browser state that is kept between sessions, with snapshots, copies and transfers.',
  Recipes: 'Recorded steps that can be repeated with other values.',
  Sessions: 'Browser sessions and their operations.',
  Status: 'The status of the service, incidents, and subscriptions to them.',
  Team: 'Members, invitations and the organization.',
  Webhooks: 'Endpoints, their deliveries and replays.',
} as const;
export type Tag = keyof typeof tags;
