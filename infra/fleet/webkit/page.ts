import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, closed, nullable, oneOf } from '../../../contracts/schema.ts';
import { failureCategories, type FailureCategory } from '../../../contracts/operations.ts';
import { Cookie } from '../../../contracts/resources/session.ts';
import { driverFailure, pageFailure, timeoutFailure, type OperationLimits } from '../node/driver.ts';
import { shape, type Shape } from '../shape.ts';
import { HostError, HostGone } from './host-channel.ts';
import { inParts, type Step } from './input.ts';
import type { Instance } from './instance.ts';
import type { FilteringProxy } from '../../outbound/proxy.ts';
import type { Key, Pointer } from './web-driver.ts';

export type LoadState = 'load' | 'domcontentloaded' | 'networkidle';

/** The page of one browser as the operations see it. Every call fails with an `OperationFailed`, and by its limits. */
export interface Page {
  load(url: string, waitUntil: LoadState, limits: OperationLimits): Promise<Loaded>;
  reached(state: LoadState, limits: OperationLimits): Promise<void>;
  url(limits: OperationLimits): Promise<string>;
  cookies(limits: OperationLimits): Promise<Cookie[]>;
  /** Those of the named headers that the page was answered with. */
  headers(names: readonly string[], limits: OperationLimits): Promise<Record<string, string>>;
  pdf(limits: OperationLimits): Promise<Buffer>;
  screenshot(limits: OperationLimits): Promise<Buffer>;
  finger(steps: readonly Step<Pointer>[], limits: OperationLimits): Promise<void>;
  keys(steps: readonly Step<Key>[], limits: OperationLimits): Promise<void>;
  /** One of our scripts, by its name in `host/operations.js`; what it gives must have this shape. */
  run<T>(script: string, input: unknown, expected: Shape<T>, limits: OperationLimits): Promise<T>;
  /**
   * Resolves once nothing that was begun here is under way any more and the processes that show and load the page answer.
   * Has no limit of its own: it stays pending while the browser is silent.
   */
  settled(): Promise<void>;
}

export interface Loaded {
  readonly url: string;
  /** Null where there was no HTTP. */
  readonly status: number | null;
}

export const nothing = shape(Type.Null());
const loaded = shape(closed({ url: Type.String(), status: nullable(Type.Integer()) }));
const located = shape(closed({ url: Type.String() }));
const cookies = shape(Type.Array(Cookie));
const headers = shape(Type.Record(Type.String(), Type.String()));
const failed = shape(
  closed({ failure: closed({ category: oneOf(failureCategories), reason: Type.String() }) }),
);
const anything = shape(Type.Unknown());
const answered = shape(closed({ value: Type.Unknown() }));

export function openPage(instance: Instance): Page {
  const { webDriver } = instance;
  return {
    load: (url, waitUntil, limits) => load(instance, url, waitUntil, limits),
    reached: async (state, limits) => {
      await instance.host.send('reached', { state }, limits.signal).catch((error: unknown) => {
        throw translate(error, limits, 'condition_not_met');
      });
    },
    url: async (limits) => (await ask(instance, 'page', null, located, limits)).url,
    cookies: (limits) => ask(instance, 'cookies', null, cookies, limits),
    headers: (names, limits) => ask(instance, 'headers', names, headers, limits),
    pdf: (limits) => written(instance, 'pdf', limits),
    screenshot: (limits) => written(instance, 'screenshot', limits),
    finger: (steps, limits) => finger(instance, steps, limits),
    keys: (steps, limits) =>
      inParts(steps, (keys) => webDriver.keys(keys), limits.signal).catch((error: unknown) => {
        throw inputFailure(instance, error, limits);
      }),
    run: async (script, input, expected, limits) => {
      const reply = await ask(instance, 'run', { script, input }, anything, limits);
      if (failed.is(reply)) throw pageFailure(reply.failure.category, reply.failure.reason);
      if (!answered.is(reply) || !expected.is(reply.value)) throw unreadable(script);
      return reply.value;
    },
    settled: () => settled(instance),
  };
}

async function ask<T>(
  { host }: Instance,
  command: string,
  input: unknown,
  expected: Shape<T>,
  limits: OperationLimits,
  category: FailureCategory = 'unknown',
): Promise<T> {
  const reply = await host
    .send(command, input, limits.signal)
    .catch((error: unknown) => Promise.reject(translate(error, limits, category)));
  if (!expected.is(reply)) throw unreadable(command);
  return reply;
}

/** What the browser writes into a file of its directory. */
async function written(instance: Instance, kind: 'pdf' | 'screenshot', limits: OperationLimits) {
  const path = join(instance.directory, kind);
  try {
    await ask(instance, kind, { path }, nothing, limits, 'capture_failed');
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function load(
  { host, proxy }: Instance,
  url: string,
  waitUntil: LoadState,
  limits: OperationLimits,
): Promise<Loaded> {
  try {
    const reply = await host.send('load', { url, wait_until: waitUntil }, limits.signal);
    if (!loaded.is(reply)) throw unreadable('load');
    return reply;
  } catch (error) {
    throw explain(error, proxy, limits);
  }
}

const unreadable = (command: string) =>
  driverFailure(`The browser gave no answer to ${command} that can be read.`);

/** A finger that was stopped in the middle is lifted, as a person would; it would lie on the next page otherwise. */
async function finger(
  instance: Instance,
  steps: readonly Step<Pointer>[],
  limits: OperationLimits,
): Promise<void> {
  const { webDriver } = instance;
  try {
    await inParts(steps, (actions) => webDriver.finger(actions), limits.signal);
  } catch (error) {
    if (instance.alive) {
      await webDriver.finger([{ type: 'pointerUp', button: 0 }]).catch((cause: unknown) => {
        throw driverFailure('The browser could not end a touch.', { cause });
      });
    }
    throw inputFailure(instance, error, limits);
  }
}

function inputFailure({ alive }: Instance, error: unknown, limits: OperationLimits): Error {
  if (!alive) return driverFailure('The browser is gone.', { cause: error });
  if (limits.signal.aborted) return translate(error, limits, 'unknown');
  return pageFailure('unknown', 'The browser could not do it on this page.');
}

/** One look at the page and one at its cookies, which another process keeps. A failure is an answer too. */
async function settled({ host }: Instance): Promise<void> {
  const answer = (command: string, input: unknown) =>
    host.send(command, input).catch((error: unknown) => {
      if (!(error instanceof HostError)) throw driverFailure('The browser is gone.', { cause: error });
    });
  await host.idle();
  await Promise.all([answer('run', { script: 'viewport', input: null }), answer('cookies', null)]);
}

/** Why a load failed. The proxy knows when the address was refused or nobody answered there. */
function explain(error: unknown, proxy: FilteringProxy, limits: OperationLimits): Error {
  if (!(error instanceof HostError)) return translate(error, limits, 'page_load_failed');
  const host = error.url !== null && URL.canParse(error.url) ? new URL(error.url).hostname : '';
  const reason =
    error.code === 'tls_failed' ? 'The certificate of the site is not valid.' : proxy.problem(host);
  return pageFailure('page_load_failed', reason ?? 'The page could not be loaded.');
}

function translate(error: unknown, { signal }: OperationLimits, category: FailureCategory): Error {
  if (error instanceof HostGone) return driverFailure('The browser is gone.', { cause: error });
  if (signal.aborted) return timeoutFailure(category, 'The operation did not finish in time.');
  if (error instanceof HostError)
    return pageFailure(category, 'The page changed or failed while it was being used.');
  return error instanceof Error ? error : driverFailure('The browser failed.', { cause: error });
}
