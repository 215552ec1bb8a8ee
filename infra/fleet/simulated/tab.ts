import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import type { Cookie } from '../../../contracts/resources/session.ts';
import type { Target } from '../../../contracts/resources/target.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { OutboundRefused } from '../../outbound/guard.ts';
import {
  driverFailure,
  pageFailure,
  timeoutFailure,
  type OperationLimits,
  type Uploaded,
} from '../node/driver.ts';
import type { Leftovers } from './leftovers.ts';
import { blankPage, pageAt, type SimulatedElement, type SimulatedPage } from './site.ts';
import { findAll } from './targets.ts';
import { takeTime } from './take-time.ts';

/** State of one simulated browser: its page, the values of fields, and site data. */
export interface Tab {
  /** Files that the session was given, by handle. */
  readonly uploads: Uploaded;
  readonly url: string;
  readonly page: SimulatedPage;
  /** By name, domain and path. */
  readonly cookies: Map<string, Cookie>;
  readonly files: readonly NonNullable<SimulatedPage['file']>[];
  state(): 'loading' | 'loaded' | 'errored' | 'stalled';
  localStorage(): Record<string, string>;
  /** Loads an address. Returns the page that is shown then, or a file. */
  load(
    address: string,
    limits: OperationLimits,
  ): Promise<{ readonly url: string; readonly status: number | null }>;
  /** Goes back or forward in the history; false if there is no such page. */
  move(direction: 'back' | 'forward', limits: OperationLimits): Promise<boolean>;
  /** The elements that match the target. */
  findAll(target: Target): readonly SimulatedElement[];
  /** The first match; throws a page failure if there is none. */
  find(target: Target): SimulatedElement;
  /** The same tab, but `find` also throws if several visible elements match. */
  strictly(): Tab;
  /** Gives the elements refs that are valid until the page changes; an element keeps its ref. */
  giveRefs(elements: readonly SimulatedElement[]): ReadonlyMap<string, SimulatedElement>;
  /** The element's value is never disclosed. */
  keepSecret(element: SimulatedElement): void;
  isSecret(element: SimulatedElement): boolean;
  value(element: SimulatedElement): string;
  fill(element: SimulatedElement, value: string): void;
  tap(element: SimulatedElement, limits: OperationLimits): Promise<void>;
}

export interface TabOptions {
  readonly guard: OutboundGuard;
  readonly uploads: Uploaded;
  /** Stored site data. */
  readonly left: Leftovers;
  /** Geolocation reported to pages. */
  readonly geolocation: Geolocation | undefined;
  readonly die: () => void;
  /** Called with every page that is shown. */
  readonly arrived: (url: URL, page: SimulatedPage) => void;
}

export function openTab({ guard, uploads, left, geolocation, die, arrived }: TabOptions): Tab {
  const values = new Map<SimulatedElement, string>();
  const secrets = new Set<SimulatedElement>();
  const refs = new Refs();
  const visits = new Visits(die, (url, page) => {
    for (const ofPage of [values, secrets, refs]) ofPage.clear();
    arrived(url, page);
    return located(left.by(url, page), geolocation);
  });
  const elementsOf = (target: Target) =>
    target.ref === undefined ? findAll(visits.shown.page.elements, target) : [refs.find(target.ref)];
  const tab = (find: Tab['find']): Tab => ({
    uploads,
    get url() {
      return visits.shown.url;
    },
    get page() {
      return visits.shown.page;
    },
    files: visits.files,
    state: () => visits.state,
    cookies: left.cookies,
    localStorage: () => left.localStorage(visits.shown.url),
    load: (address, limits) => visits.visit(allowed(guard, address), limits),
    move: visits.move.bind(visits),
    findAll: elementsOf,
    find,
    strictly: () => tab((target) => onlyOne(elementsOf(target))),
    giveRefs: (elements) => refs.give(elements),
    keepSecret: (element) => void secrets.add(element),
    isSecret: (element) => secrets.has(element),
    value: (element) => values.get(element) ?? '',
    fill: (element, value) => void values.set(element, value),
    tap: async (element, limits) => {
      if (element.href) await visits.visit(new URL(element.href, visits.shown.url), limits);
    },
  });
  return tab((target) => elementsOf(target)[0] ?? fail('No element matches the target.'));
}

function fail(reason: string): never {
  throw pageFailure('element_not_found', reason);
}

/** The only match, or the only visible one of several. */
function onlyOne(found: readonly SimulatedElement[]): SimulatedElement {
  const seen = found.filter(({ hidden }) => !hidden);
  const [first, second] = seen.length > 0 ? seen : found;
  if (!first) return fail('No element matches the target.');
  if (!second) return first;
  const named = [first, second].map(({ selectors }) => selectors.join(' ')).join(' and ');
  return fail(`The target matches ${named} equally. Name one of them by its ref, or be more specific.`);
}

/** Refs of the last observation of the current page. */
class Refs {
  readonly #elements = new Map<string, SimulatedElement>();
  readonly #refs = new Map<SimulatedElement, string>();

  clear(): void {
    this.#elements.clear();
    this.#refs.clear();
  }

  give(elements: readonly SimulatedElement[]): ReadonlyMap<string, SimulatedElement> {
    this.#elements.clear();
    for (const element of elements) {
      const ref = this.#refs.get(element) ?? `e${this.#refs.size + 1}`;
      this.#refs.set(element, ref);
      this.#elements.set(ref, element);
    }
    return this.#elements;
  }

  find(ref: string): SimulatedElement {
    const known = this.#elements.get(ref);
    return known ?? fail(`There is no element ${ref} any more: the page has changed. Observe it again.`);
  }
}

/** A page that requests the geolocation shows it. */
function located(page: SimulatedPage, place: Geolocation | undefined): SimulatedPage {
  if (!page.locates) return page;
  const text = place ? `${place.latitude}, ${place.longitude}` : 'nowhere';
  return { ...page, elements: [...page.elements, { selectors: ['#where'], text }] };
}

interface Shown {
  readonly url: string;
  readonly status: number | null;
  readonly page: SimulatedPage;
}

/** The current page, the history around it, and the result of the last load. */
class Visits {
  shown: Shown = { url: 'about:blank', status: null, page: blankPage };
  state: ReturnType<Tab['state']> = 'loaded';
  readonly files: NonNullable<SimulatedPage['file']>[] = [];
  readonly #die: () => void;
  /** Returns the page as it is shown. */
  readonly #arrived: (url: URL, page: SimulatedPage) => SimulatedPage;
  readonly #entries = { back: [] as string[], forward: [] as string[] };

  constructor(die: () => void, arrived: (url: URL, page: SimulatedPage) => SimulatedPage) {
    this.#die = die;
    this.#arrived = arrived;
  }

  async visit(target: URL, limits: OperationLimits): Promise<Shown> {
    const before = this.shown;
    const loaded = await this.#load(target, limits);
    if (this.shown !== before) {
      this.#entries.back.push(before.url);
      this.#entries.forward.length = 0;
    }
    return loaded;
  }

  async move(direction: 'back' | 'forward', limits: OperationLimits): Promise<boolean> {
    const from = this.#entries[direction];
    const url = from.at(-1);
    if (url === undefined) return false;
    const before = this.shown.url;
    await this.#load(new URL(url), limits);
    from.pop();
    this.#entries[direction === 'back' ? 'forward' : 'back'].push(before);
    return true;
  }

  async #load(target: URL, limits: OperationLimits): Promise<Shown> {
    this.state = pageAt(target).fault === 'hang' ? 'stalled' : 'loading';
    try {
      const loaded = await this.#show(target, limits);
      this.state = 'loaded';
      return loaded;
    } catch (error) {
      this.state = 'errored';
      throw error;
    }
  }

  async #show(target: URL, limits: OperationLimits): Promise<Shown> {
    const found = await arrive(target, limits, this.#die);
    const { file } = found.page;
    if (file) {
      if (!this.files.includes(file)) this.files.push(file);
      return found;
    }
    this.shown = { ...found, page: this.#arrived(new URL(found.url), found.page) };
    return this.shown;
  }
}

/** Follows redirects to the final page, with the delays and faults on the way. */
async function arrive(target: URL, limits: OperationLimits, die: () => void): Promise<Shown> {
  const page = pageAt(target);
  if (page.fault) await suffer(page.fault, limits, die);
  if (target.pathname === '/slow') await pause(Number(target.searchParams.get('ms') ?? 0), limits);
  if (page.redirect) return arrive(new URL(page.redirect, target), limits, die);
  return { url: target.href, status: page.status ?? 200, page };
}

async function suffer(
  fault: NonNullable<SimulatedPage['fault']>,
  limits: OperationLimits,
  die: () => void,
): Promise<void> {
  switch (fault) {
    case 'unreachable':
      throw pageFailure('page_load_failed', 'The page could not be reached.');
    case 'never_loads':
      return pause(limits.timeoutMs * 2, limits);
    case 'crash':
      die();
      throw driverFailure('The browser died.');
    case 'hang':
      return new Promise<void>(() => undefined);
  }
}

function allowed(guard: OutboundGuard, address: string): URL {
  if (address === 'about:blank') return new URL(address);
  try {
    return guard.checkUrl(address);
  } catch (error) {
    if (error instanceof OutboundRefused) throw pageFailure('page_load_failed', error.message);
    throw error;
  }
}

const pause = (ms: number, limits: OperationLimits): Promise<void> =>
  takeTime(ms, limits, () => timeoutFailure('page_load_failed', 'The page did not load in time.'));
