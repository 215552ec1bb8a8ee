import type { EgressCapabilities } from '../../../contracts/operations.ts';
import type { Challenge } from '../../../contracts/webhooks/envelope.ts';

/** One element of a simulated page. Selectors are matched as whole strings against `selectors`. */
export interface SimulatedElement {
  readonly selectors: readonly string[];
  readonly text?: string;
  /** Where a tap leads. */
  readonly href?: string;
  /** A tap submits the page's form. */
  readonly submits?: true;
  readonly field?: 'text' | 'password' | 'checkbox' | 'select';
  readonly hidden?: true;
}

export interface SimulatedPage {
  readonly title: string;
  readonly elements: readonly SimulatedElement[];
  readonly status?: number;
  readonly redirect?: string;
  /** The fault that replaces the page. */
  readonly fault?: 'unreachable' | 'never_loads' | 'crash' | 'hang';
  /** Makes it a download; the previous page stays. */
  readonly file?: { readonly name: string; readonly mime: string; readonly text: string };
  /** Cookies the page sets. */
  readonly cookies?: Readonly<Record<string, string>>;
  readonly localStorage?: Readonly<Record<string, string>>;
  /** Counts its visits in local storage, and shows their number and the `for` parameter of the first visit with one. */
  readonly counts?: true;
  /** Where the form leads with the password `correct`; with any other the page stays. */
  readonly signsInTo?: string;
  /** The form asks for a one-time code after the password. */
  readonly wantsOtp?: true;
  /** Shows the reported geolocation. */
  readonly locates?: true;
  /** Reported when the page is shown: a check for a person. */
  readonly challenge?: Challenge;
  /** Reported when the page is shown: what its host sees of the network egress. */
  readonly egress?: EgressCapabilities;
  /** A profile that has loaded it cannot be saved. */
  readonly unsaveable?: true;
}

const home: SimulatedElement = { selectors: ['a', '#home', 'a[href="/"]'], text: 'Home', href: '/' };
const heading = (text: string): SimulatedElement => ({ selectors: ['h1'], text });
const faulty = (fault: NonNullable<SimulatedPage['fault']>): SimulatedPage => ({
  title: fault,
  elements: [],
  fault,
});

/**
 * Pages of `http(s)://sim.test` by path. `/slow?ms=500` takes that long; `/unsaveable?reason=seal_failed` sets the reason why the session's
 * profile cannot be saved.
 */
const pages: Readonly<Record<string, SimulatedPage>> = {
  '/': {
    title: 'Simulated home',
    elements: [
      heading('Welcome'),
      { selectors: ['a', '#to-form', 'a[href="/form"]'], text: 'Form', href: '/form' },
      { selectors: ['#to-login', 'a[href="/login"]'], text: 'Sign in', href: '/login' },
      { selectors: ['#concealed'], text: 'Concealed', hidden: true },
      { selectors: ['.price', 'li'], text: '19.90' },
      { selectors: ['.price', 'li'], text: '5' },
    ],
    cookies: { visited: 'yes' },
    localStorage: { theme: 'light' },
  },
  '/form': {
    title: 'Simulated form',
    elements: [
      heading('A form'),
      { selectors: ['#name', 'input', 'input[name="name"]'], field: 'text' },
      { selectors: ['#agree', 'input[name="agree"]'], field: 'checkbox' },
      { selectors: ['#size', 'select'], field: 'select' },
      { selectors: ['#file', 'input[type="file"]'], field: 'text' },
      { selectors: ['#send', 'button'], text: 'Send', submits: true, href: '/sent' },
      home,
    ],
  },
  '/sent': { title: 'Sent', elements: [heading('Thank you'), home] },
  '/login': {
    title: 'Sign in',
    elements: [
      { selectors: ['#username', 'input[name="username"]'], field: 'text' },
      { selectors: ['#password', 'input[name="password"]'], field: 'password' },
      { selectors: ['#submit', 'button'], text: 'Sign in', submits: true },
    ],
    signsInTo: '/account',
  },
  '/login-otp': {
    title: 'Sign in',
    elements: [
      { selectors: ['#username'], field: 'text' },
      { selectors: ['#password'], field: 'password' },
      { selectors: ['#submit', 'button'], text: 'Sign in', submits: true },
    ],
    signsInTo: '/account',
    wantsOtp: true,
  },
  '/account': { title: 'Account', elements: [heading('Signed in'), home], cookies: { session: 'open' } },
  '/report.csv': {
    title: '',
    elements: [],
    file: { name: 'report.csv', mime: 'text/csv', text: 'fruit,price\napple,19.90\n' },
  },
  '/redirect': { title: 'Moved', elements: [], redirect: '/' },
  '/slow': { title: 'Slow', elements: [heading('At last')] },
  '/challenge': {
    title: 'One moment',
    status: 403,
    elements: [heading('Are you a person?')],
    challenge: {
      type: 'cloudflare_interstitial',
      confidence: 1,
      detail: 'A simulated check stands before the page.',
    },
  },
  '/dead-proxy': {
    title: 'A way out that is gone',
    elements: [heading('Still here')],
    egress: { udp_associate: false, dns_remote_resolve: false, quic_route: 'none', warnings: ['dead_proxy'] },
  },
  '/where': { title: 'Where you are', elements: [heading('Where you are')], locates: true },
  '/counter': {
    title: 'A counter',
    elements: [heading('Visits'), home],
    cookies: { counted: 'yes' },
    counts: true,
  },
  '/unsaveable': { title: 'Too much to keep', elements: [heading('Hoarding')], unsaveable: true },
  '/unreachable': faulty('unreachable'),
  '/timeout': faulty('never_loads'),
  '/crash': faulty('crash'),
  '/hang': faulty('hang'),
};

const missing: SimulatedPage = { title: 'Not found', status: 404, elements: [heading('Not found'), home] };

/** The page at an address. Hosts other than `sim.test` have one page each, for every path, titled by their name. */
export function pageAt(url: URL): SimulatedPage {
  if (url.hostname === 'sim.test') return pages[url.pathname] ?? missing;
  if (url.hostname.endsWith('.invalid')) return faulty('unreachable');
  return { title: url.hostname, elements: [heading(url.hostname), home] };
}

export const blankPage: SimulatedPage = { title: '', elements: [] };
