/** Every text of the overview. */
export const words = {
  overview: 'Overview',
  overviewOf: 'Signed in as {email}, tier {tier}.',
  threeThings: 'Three things to do',
  makeKey: 'Make an API key',
  makeKeyText: 'In the reference, “Try it” carries your sign-in.',
  protect: 'Set up a second factor',
  protectText: 'Some changes ask for one.',
  seeStatus: 'See how the service is',
  seeStatusText: 'The public status, as everybody sees it.',
} as const;
