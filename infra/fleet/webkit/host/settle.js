import GLib from 'gi://GLib?version=2.0';
import { CommandFailed } from './channel.js';
import { closePickers } from './pickers.js';
import { world } from './view.js';

/**
 * Waits for what an action has started, and returns the dialogs and downloads since the last call:
 * - for scripts that are due at once;
 * - at most `page_ms` until a loading page, in the tab that is then in front, is committed;
 * - at most `downloads_ms` until downloads have ended.
 */
export async function settle({ tabs, dialogs, downloads }, { page_ms, downloads_ms }, onCancel) {
  await ranScripts(tabs.active.view, onCancel);
  closePickers(tabs.window);
  tabs.release();
  let failed = false;
  const patience = limited(page_ms, onCancel);
  for (let tab; tab !== tabs.active;) {
    tab = tabs.active;
    // The tab has closed, as sign-in tabs do; the one behind it is now in front.
    await tab.loading.arrived(patience.onStop).catch(unless('closed', () => patience.isOver()));
    failed = tab.loading.takeFailure();
  }
  patience.end();
  await downloads.ended(downloads_ms, onCancel);
  dialogs.answerBy(null);
  return {
    dialogs: dialogs.take(),
    downloads: downloads.take(),
    load_failed: failed,
    is_awaited: patience.isOver(),
    tab: tabs.active.id,
  };
}

const unless = (code, isFine) => (error) => {
  if (error.code !== code && !isFine()) throw error;
};

/** A time limit for a wait: after these milliseconds it is stopped, in the same way as by a cancelled command. */
function limited(ms, onCancel) {
  let stop = () => undefined;
  let isOver = false;
  let timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, ms, () => {
    timer = 0;
    isOver = true;
    stop();
    return GLib.SOURCE_REMOVE;
  });
  const end = () => {
    if (timer) GLib.source_remove(timer);
    timer = 0;
  };
  return {
    onStop: (given) => {
      stop = given;
      onCancel(() => {
        end();
        given();
      });
      if (isOver) stop();
    },
    isOver: () => isOver,
    end,
  };
}

/** Waits for one round of the page's due timers, because pages navigate from timers. A replaced page needs no wait. */
async function ranScripts(view, onCancel) {
  let handlers = [];
  const over = new Promise((resolve, reject) => {
    onCancel(() => reject(new CommandFailed('cancelled', 'Nobody waits for the page any longer.')));
    // For a script of a replaced document, WebKit answers only on garbage collection, which takes a second.
    handlers = ['load-changed', 'destroy'].map((signal) => view.connect(signal, () => resolve()));
  });
  const turn = 'await new Promise((done) => setTimeout(done));';
  const ran = view.call_async_javascript_function(turn, -1, null, world, null, null).catch(() => undefined);
  try {
    await Promise.race([ran, over]);
  } finally {
    for (const handler of handlers) view.disconnect(handler);
  }
}
