/** The areas of the API, by which references group routes. */
export const tags = {
  Account: 'The account, its limits and usage, its audit log with its proofs, and its end.',
  'Agent sessions':
    'An agent in a browser: messages and their turns, the transcript, and the hands of a person.',
  'API keys': 'Keys of the account, with their scopes.',
  Archetypes: 'The devices that a session can be.',
  Authentication: 'Signing up, logging in, second factors and passwords.',
  Billing: 'Orders, subscriptions, receipts and the bill.',
  Email: 'What a link in a mail does.',
  Events: 'What happened to the resources of the account, as webhooks are sent it.',
  OAuth: 'Log-in of devices and programs (RFC 6749, RFC 8628).',
  Profiles: 'What a browser keeps between sessions, with snapshots, copies and transfers.',
  Recipes: 'Steps that were carried out once, to be repeated with other values.',
  Sessions: 'A browser and what it can be asked to do.',
  Status: 'How the service is, incidents, and who is informed of them.',
  Team: 'Members, invitations and the organization.',
  Webhooks: 'Endpoints, their deliveries and replays.',
} as const;
export type Tag = keyof typeof tags;
