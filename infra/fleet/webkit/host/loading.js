import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { ofDocument, world } from './view.js';

/** Milliseconds without a request in flight after which the network counts as idle. */
const idleMs = 500;
/**
 * Milliseconds after which a navigation requested by a page is forgotten if it did not begin: it was a frame's, or another one took
 * precedence. Starting a process for another site takes much of this time.
 */
export const beginMs = 1_000;
/**
 * `requested` lasts until the load's own first signal; earlier signals belong to the previous load. From `committed` on, the document is
 * the new one.
 */
const states = ['requested', 'loading', 'committed', 'domcontentloaded', 'load', 'networkidle'];

export class LoadFailed extends Error {
  /** `url` is the address that failed. After a redirect it is not the requested one. */
  constructor(code, message, url) {
    super(message);
    this.code = code;
    this.url = url;
  }
}

/**
 * Follows the main frame of one tab from the request to the idle network. Promises resolve with the stage that the load reached, or reject
 * with the reason of its failure.
 */
export function followLoading(view) {
  let reached = 'networkidle';
  /** Whether a load has failed since the last `takeFailure`. */
  let failed = false;
  /** `{code, url}` of the last load if it failed. */
  let problem = null;
  /** State of the previous page, which stays if the load does not replace it. */
  let before = 'networkidle';
  /** Requests of the page that are in flight, without event streams, which never end. */
  const open = new Set();
  /** Navigations that pages have requested and that have not begun, by address. */
  const expected = new Map();
  let idleTimer = 0;
  let waiting = [];

  const leave = (entries) => {
    waiting = waiting.filter((entry) => !entries.includes(entry));
  };
  const settle = () => {
    const ready = waiting.filter(({ holds }) => holds());
    leave(ready);
    for (const { resolve } of ready) resolve();
  };
  const isAt = (state) => states.indexOf(reached) >= states.indexOf(state);
  const reach = (state) => {
    if (reached !== 'requested' && !isAt(state)) reached = state;
    settle();
  };
  const watchIdle = () => {
    if (idleTimer) GLib.source_remove(idleTimer);
    idleTimer = 0;
    if (open.size > 0 || reached !== 'load') return;
    idleTimer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, idleMs, () => {
      idleTimer = 0;
      reach('networkidle');
      return GLib.SOURCE_REMOVE;
    });
  };
  const begin = (state) => {
    if (isAt('committed')) before = reached;
    reached = state;
    problem = null;
    watchIdle();
  };
  /** The load failed entirely or in part. If nothing was committed, the previous page stays. */
  const fail = (code, message, url) => {
    if (!isAt('committed')) reached = before;
    const ofLoad = waiting.filter((entry) => entry.ofLoad);
    leave(ofLoad);
    for (const { reject } of ofLoad) reject(new LoadFailed(code, message, url));
    if (code === 'load_failed' || code === 'tls_failed') {
      failed = true;
      problem = { code, url };
    }
    settle();
    watchIdle();
    return true;
  };
  const forget = (url) => {
    const timer = expected.get(url);
    if (timer === undefined) return;
    GLib.source_remove(timer);
    expected.delete(url);
    settle();
  };

  view.connect('load-changed', (_view, change) => {
    const { STARTED, COMMITTED, FINISHED } = WebKit2.LoadEvent;
    if (change === STARTED) {
      begin('loading');
      for (const url of [...expected.keys()]) forget(url);
    }
    if (change === COMMITTED) {
      if (reached === 'loading') reached = 'committed';
      open.clear();
      settle();
    }
    if (change === FINISHED && isAt('committed')) reach('load');
    watchIdle();
  });
  view.connect('load-failed', (_view, _change, url, error) => {
    if (error.matches(WebKit2.NetworkError, WebKit2.NetworkError.CANCELLED))
      // Either cancelled, or replaced by a later load, whose own signals follow.
      return view.is_loading || fail('stopped', 'The load was stopped.', url);
    const { FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE } = WebKit2.PolicyError;
    if (error.matches(WebKit2.PolicyError, FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE))
      return fail('no_page', 'There is no page.', url);
    return fail('load_failed', error.message, url);
  });
  view.connect('load-failed-with-tls-errors', (_view, url) =>
    fail('tls_failed', 'The certificate is not valid.', url),
  );
  view.connect('resource-load-started', (_view, resource, request) => {
    forget(request.get_uri());
    if (request.get_http_headers()?.get_one('Accept') === 'text/event-stream') return;
    open.add(resource);
    watchIdle();
    const end = () => {
      open.delete(resource);
      watchIdle();
    };
    resource.connect('finished', end);
    resource.connect('failed', end);
  });
  /** Expects a page from that address, until its load begins or `beginMs` has passed. */
  const expect = (url) => {
    if (!url || url.startsWith('about:') || isSameDocument(view.get_uri(), url) || expected.has(url)) return;
    const expire = () => {
      expected.delete(url);
      settle();
      return GLib.SOURCE_REMOVE;
    };
    expected.set(url, GLib.timeout_add(GLib.PRIORITY_DEFAULT, beginMs, expire));
  };
  view.connect('decide-policy', (_view, decision, type) => {
    const { NAVIGATION_ACTION, NEW_WINDOW_ACTION } = WebKit2.PolicyDecisionType;
    if (type !== NAVIGATION_ACTION && type !== NEW_WINDOW_ACTION) return false;
    const action = decision.get_navigation_action();
    const url = action.get_request().get_uri();
    const { LINK_CLICKED } = WebKit2.NavigationType;
    // A link within the same document loads nothing either.
    const isShown =
      action.get_navigation_type() === LINK_CLICKED && url === view.get_uri() && url.includes('#');
    if (!isShown) expect(url);
    return false;
  });

  const wait = (holds, onCancel, ofLoad = false) =>
    new Promise((resolve, reject) => {
      const entry = { holds, ofLoad, resolve, reject };
      waiting.push(entry);
      onCancel(() => {
        leave([entry]);
        reject(new LoadFailed('cancelled', 'Nobody waits for the page any longer.', null));
      });
      settle();
    });
  return {
    request: () => begin('requested'),
    /** Resolves when the requested load has reached that stage; rejects with `LoadFailed` if it fails. */
    loaded: (state, onCancel) => wait(() => isAt(state), onCancel, true),
    /** Resolves when the current page has reached that stage. */
    reached: (state, onCancel) => wait(() => isAt(state), onCancel),
    /** Resolves when no other page is loading or expected, even if one has failed to load. */
    arrived: (onCancel) => wait(() => isAt('committed') && expected.size === 0, onCancel),
    /** The request has not led to a load. */
    stay: () => {
      if (reached !== 'requested') return;
      reached = before;
      settle();
      watchIdle();
    },
    /** Whether the last requested load has begun. */
    hasBegun: () => reached !== 'requested',
    isUnderWay: () => !isAt('load'),
    /** Whether a page is loading or about to, or waits for an answer of the network. */
    isBusy: () => !isAt('load') || expected.size > 0 || open.size > 0,
    problem: () => problem,
    /** The document of a tab has been parsed. */
    look: async () => {
      if (reached !== 'committed') return;
      const ask = `return ${ofDocument('readyState')} !== 'loading';`;
      const parsed = await view
        .call_async_javascript_function(ask, -1, null, world, null, null)
        .catch(() => null);
      if (parsed?.to_boolean() && reached === 'committed') reach('domcontentloaded');
    },
    takeFailure: () => {
      const was = failed;
      failed = false;
      return was;
    },
    expect,
    /** The page of this tab will not have that address. */
    forget,
    /** The tab is gone. */
    close: () => {
      for (const url of [...expected.keys()]) forget(url);
      if (idleTimer) GLib.source_remove(idleTimer);
      for (const { reject } of waiting.splice(0))
        reject(new LoadFailed('closed', 'The tab was closed.', null));
    },
  };
}

/** Whether both addresses are of the same document and differ in the fragment only, so that nothing is loaded. */
export function isSameDocument(from, to) {
  const [page, part] = to.split('#');
  return part !== undefined && from !== null && from !== to && from.split('#')[0] === page;
}

/**
 * Runs in our world at the start of each document. DOMContentLoaded is the one load event that WebKitGTK has no signal
 * for.
 */
export const domReadyScript = `
  document.addEventListener('DOMContentLoaded', () => webkit.messageHandlers.dom.postMessage(''), { once: true });`;
