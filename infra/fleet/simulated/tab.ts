import type { Target } from '../../../contracts/resources/target.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { OutboundRefused } from '../../outbound/guard.ts';
import { driverFailure, pageFailure, timeoutFailure, type OperationLimits } from '../node/driver.ts';
import { blankPage, pageAt, type SimulatedElement, type SimulatedPage } from './site.ts';
import { findAll } from './targets.ts';
import { takeTime } from './take-time.ts';

/** The state of one simulated browser: a page, what was put in its fields, and what sites left behind. */
export interface Tab {
  readonly url: string;
  readonly status: number | null;
  readonly page: SimulatedPage;
  readonly cookies: ReadonlyMap<string, { readonly domain: string; readonly value: string }>;
  localStorage(): Record<string, string>;
  load(address: string, limits: OperationLimits): Promise<void>;
  /** The first element that is named; throws a page failure when there is none. */
  find(target: Target): SimulatedElement;
  value(element: SimulatedElement): string;
  fill(element: SimulatedElement, value: string): void;
  tap(element: SimulatedElement, limits: OperationLimits): Promise<void>;
}

/** `arrived` is told of every page that is shown. */
export function openTab(
  guard: OutboundGuard,
  die: () => void,
  arrived: (url: URL, page: SimulatedPage) => void,
): Tab {
  let shown: Shown = { url: 'about:blank', status: null, page: blankPage };
  const values = new Map<SimulatedElement, string>();
  const left = createLeftovers();
  const visit = async (target: URL, limits: OperationLimits): Promise<void> => {
    shown = await arrive(target, limits, die);
    values.clear();
    left.by(new URL(shown.url), shown.page);
    arrived(new URL(shown.url), shown.page);
  };
  return {
    get url() {
      return shown.url;
    },
    get status() {
      return shown.status;
    },
    get page() {
      return shown.page;
    },
    cookies: left.cookies,
    localStorage: () => left.localStorage(shown.url),
    load: (address, limits) => visit(allowed(guard, address), limits),
    find: (target) => {
      const [element] = findAll(shown.page.elements, target);
      if (!element) throw pageFailure('element_not_found', 'No element matches the target.');
      return element;
    },
    value: (element) => values.get(element) ?? '',
    fill: (element, value) => void values.set(element, value),
    tap: async (element, limits) => {
      if (element.href) await visit(new URL(element.href, shown.url), limits);
    },
  };
}

interface Shown {
  readonly url: string;
  readonly status: number | null;
  readonly page: SimulatedPage;
}

/** Follows redirects to the page that is shown in the end, and takes the time or the fault that stands on the way. */
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

/** What sites leave in a browser. */
function createLeftovers() {
  const cookies = new Map<string, { domain: string; value: string }>();
  const storage = new Map<string, Record<string, string>>();
  return {
    cookies,
    localStorage: (url: string) => ({ ...storage.get(originOf(url)) }),
    by: ({ hostname, origin }: URL, page: SimulatedPage) => {
      for (const [name, value] of Object.entries(page.cookies ?? {}))
        cookies.set(name, { domain: hostname, value });
      storage.set(origin, { ...storage.get(origin), ...page.localStorage });
    },
  };
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

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

const pause = (ms: number, limits: OperationLimits): Promise<void> =>
  takeTime(ms, limits, () => timeoutFailure('page_load_failed', 'The page did not load in time.'));
