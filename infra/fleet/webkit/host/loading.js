import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { world } from './view.js';

/** Milliseconds without a request in flight after which the network counts as idle. */
const idleMs = 500;
/** `requested` lasts until the load's own first signal: until then signals are those of the load before it. */
const states = ['requested', 'loading', 'domcontentloaded', 'load', 'networkidle'];

export class LoadFailed extends Error {
  /** `url` is the address that failed, which after a redirect is not the one asked for. */
  constructor(code, message, url) {
    super(message);
    this.code = code;
    this.url = url;
  }
}

/** Follows the main frame from request to quiet, and tells who waits how far it came or why it failed. */
export function followLoading({ view, content }) {
  let reached = 'networkidle';
  let failure = null;
  let inFlight = 0;
  let idleTimer = 0;
  let waiting = [];

  const settle = () => {
    const done = ({ state }) => failure !== null || states.indexOf(reached) >= states.indexOf(state);
    const ready = waiting.filter(done);
    waiting = waiting.filter((entry) => !done(entry));
    for (const { resolve, reject } of ready) failure ? reject(failure) : resolve();
  };
  const reach = (state) => {
    if (reached !== 'requested' && states.indexOf(state) > states.indexOf(reached)) reached = state;
    settle();
  };
  const watchIdle = () => {
    if (idleTimer) GLib.source_remove(idleTimer);
    idleTimer = 0;
    if (inFlight > 0 || reached !== 'load') return;
    idleTimer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, idleMs, () => {
      idleTimer = 0;
      reach('networkidle');
      return GLib.SOURCE_REMOVE;
    });
  };
  const begin = (state) => {
    reached = state;
    failure = null;
    watchIdle();
  };

  view.connect('load-changed', (_view, change) => {
    if (change === WebKit2.LoadEvent.STARTED) begin('loading');
    if (change === WebKit2.LoadEvent.FINISHED && failure === null) reach('load');
    watchIdle();
  });
  const fail = (code, message, url) => {
    failure = new LoadFailed(code, message, url);
    settle();
    return true;
  };
  view.connect('load-failed', (_view, _change, url, error) => {
    // Cancelled is what a load becomes when a later one takes its place, whose own signals follow.
    const cancelled = error.matches(WebKit2.NetworkError, WebKit2.NetworkError.CANCELLED);
    return cancelled || fail('load_failed', error.message, url);
  });
  view.connect('load-failed-with-tls-errors', (_view, url) =>
    fail('tls_failed', 'The certificate is not valid.', url),
  );
  view.connect('resource-load-started', (_view, resource) => {
    inFlight += 1;
    watchIdle();
    let open = true;
    const end = () => {
      if (open) inFlight -= 1;
      open = false;
      watchIdle();
    };
    resource.connect('finished', end);
    resource.connect('failed', end);
  });
  content.register_script_message_handler_in_world('dom', world);
  content.connect('script-message-received::dom', () => reach('domcontentloaded'));

  return {
    request: () => begin('requested'),
    /** Resolves when the present load has come that far; rejects with `LoadFailed`, also when it is cancelled. */
    reached: (state, onCancel) =>
      new Promise((resolve, reject) => {
        const entry = { state, resolve, reject };
        waiting.push(entry);
        onCancel(() => {
          waiting = waiting.filter((other) => other !== entry);
          reject(new LoadFailed('cancelled', 'Nobody waits for the page any longer.', null));
        });
        settle();
      }),
  };
}

/** Runs in our world at the start of each document: the one moment of a load that WebKitGTK has no signal for. */
export const domReadyScript = `
  document.addEventListener('DOMContentLoaded', () => webkit.messageHandlers.dom.postMessage(''), { once: true });`;
