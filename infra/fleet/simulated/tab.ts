import { setTimeout as delay } from 'node:timers/promises';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { OutboundRefused } from '../../outbound/guard.ts';
import { driverFailure, pageFailure, timeoutFailure, type OperationLimits } from '../node/driver.ts';
import { blankPage, pageAt, type SimulatedElement, type SimulatedPage } from './site.ts';

/** The state of one simulated browser: a page, what was put in its fields, and what sites left behind. */
export interface Tab {
  readonly url: string;
  readonly status: number | null;
  readonly page: SimulatedPage;
  readonly cookies: ReadonlyMap<string, { readonly domain: string; readonly value: string }>;
  localStorage(): Record<string, string>;
  load(address: string, limits: OperationLimits): Promise<void>;
  /** The first element the selector names; throws a page failure when there is none. */
  find(selector: string): SimulatedElement;
  value(element: SimulatedElement): string;
  fill(element: SimulatedElement, value: string): void;
  tap(element: SimulatedElement, limits: OperationLimits): Promise<void>;
}

export function openTab(guard: OutboundGuard, die: () => void): Tab {
  let url = 'about:blank';
  let status: number | null = null;
  let page = blankPage;
  const values = new Map<SimulatedElement, string>();
  const cookies = new Map<string, { domain: string; value: string }>();
  const storage = new Map<string, Record<string, string>>();

  const visit = async (target: URL, limits: OperationLimits): Promise<void> => {
    const found = pageAt(target);
    if (found.fault) await suffer(found.fault, limits);
    if (target.pathname === '/slow') await pause(Number(target.searchParams.get('ms') ?? 0), limits);
    if (found.redirect) return visit(new URL(found.redirect, target), limits);
    url = target.href;
    status = found.status ?? 200;
    page = found;
    values.clear();
    for (const [name, value] of Object.entries(found.cookies ?? {})) {
      cookies.set(name, { domain: target.hostname, value });
    }
    storage.set(target.origin, { ...storage.get(target.origin), ...found.localStorage });
  };
  const suffer = async (fault: NonNullable<SimulatedPage['fault']>, limits: OperationLimits) => {
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
  };

  return {
    get url() {
      return url;
    },
    get status() {
      return status;
    },
    get page() {
      return page;
    },
    cookies,
    localStorage: () => ({ ...storage.get(originOf(url)) }),
    load: (address, limits) => visit(allowed(guard, address), limits),
    find: (selector) => {
      const element = page.elements.find(({ selectors }) => selectors.includes(selector));
      if (!element) throw pageFailure('element_not_found', 'No element matches the selector.');
      return element;
    },
    value: (element) => values.get(element) ?? '',
    fill: (element, value) => void values.set(element, value),
    tap: async (element, limits) => {
      if (element.href) await visit(new URL(element.href, url), limits);
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

async function pause(ms: number, { signal }: OperationLimits): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    throw timeoutFailure('page_load_failed', 'The page did not load in time.');
  }
}
