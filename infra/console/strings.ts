/** Areas of the navigation in its order: the customers' console, then the operator's. */
export const areaNames = {
  overview: 'Overview',
  sessions: 'Sessions',
  agents: 'Agents',
  profiles: 'Profiles',
  recipes: 'Recipes',
  webhooks: 'Webhooks',
  keys: 'Keys',
  audit: 'Audit',
  usage: 'Usage',
  billing: 'Billing',
  team: 'Team',
  settings: 'Settings',
  status: 'Status',
  nodes: 'Nodes',
  readModels: 'Read models',
  parked: 'Parked events',
  deliveries: 'Deliveries',
  mails: 'Mails',
  accounts: 'Accounts',
  streams: 'Streams',
} as const;

/** Every text of the frame and of the parts that pages are made of. */
export const words = {
  console: 'Console',
  areas: 'Areas',
  menu: 'Menu',
  account: 'Account',
  ownAccount: 'My account',
  skip: 'Go to the content',
  reference: 'Reference',
  signOut: 'Sign out',
  dropKey: 'Forget the API key',
  goTo: 'Go to',
  goToHint: 'A page, or an id such as ses_…',
  recent: 'Recent',
  pages: 'Pages',
  nothingFound: 'Nothing found.',
  keys: 'Shortcuts',
  keyPalette: 'Go anywhere',
  keyHelp: 'This list',
  keyFilter: 'Filter the list',
  keyNext: 'Next row',
  keyPrevious: 'Previous row',
  keyOpen: 'Open the row',
  keyEnter: 'Enter',
  close: 'Close',
  cancel: 'Cancel',
  requestId: 'Request',
  unknownTitle: 'It is unknown whether this was done',
  unknown: 'No answer arrived. Check whether it was done before you try again.',
  noAnswerTitle: 'No answer came',
  noAnswer: 'The service could not be reached. Nothing was changed.',
  broken: 'The console has failed',
  oldConsole:
    'This page could not be loaded. The console may have been replaced by a newer one: load it again.',
  tryAgain: 'Try again',
  reload: 'Reload',
  againIn: 'Try again in {seconds} seconds.',
  forbidden: 'You do not have access to this',
  copy: 'Copy',
  copyOf: 'Copy {id}',
  copied: 'Copied',
  save: 'Save as a file',
  onceText: 'It is shown only once.',
  onceKept: 'I have saved it',
  loading: 'Loading…',
  loadMore: 'Load more',
  lookedThrough: 'Searched {count}.',
  noneFits: 'None matches the filter.',
  clearFilter: 'Show all',
  filter: 'Filter',
  all: 'All',
  fresh: '{count} new',
  stale: 'Not up to date: no answer since {time}.',
  typeToConfirm: 'Type {text} to confirm',
  stepUpTitle: 'Confirm that it is you',
  stepUpText: 'Enter a code from your authenticator app.',
  confirm: 'Confirm',
  code: 'Code',
  history: 'History',
  when: 'When',
  what: 'What',
  who: 'By',
  change: '{path}: {before} → {after}',
  nothing: 'nothing',
  noHistory: 'There are no changes.',
  actors: { user: 'a person', api_key: 'an API key', system: 'the service', staff: 'the operator' },
  replacedTitle: 'Another account has signed in',
  replaced:
    'This browser is signed in to another account now, by another tab. This page belonged to the previous one.',
  notFound: 'There is no such page',
  home: 'To the overview',
} as const;

/** What an account may have a limited number of, by the names in the API. */
export const quotaNames: Readonly<Record<string, string>> = {
  sessions: 'Sessions at once',
  api_keys: 'API keys',
  webhooks: 'Webhook endpoints',
  proxies: 'Saved proxies',
  profiles: 'Profiles',
  recipes: 'Recipes',
  invitations: 'Open invitations',
};

/** Keeps bidirectional controls of a value from reordering the text around it: isolates it, and closes what it opens. */
function isolated(value: string): string {
  const controls = value.match(/[\u202A-\u202E\u2066-\u2069]/g)?.length ?? 0;
  return controls === 0 ? value : `\u2068${value}${'\u202C\u2069'.repeat(controls)}\u2069`;
}

/** Fills the placeholders of a text with values. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => isolated(String(values[name] ?? place)));
