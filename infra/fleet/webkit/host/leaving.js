import GLib from 'gi://GLib?version=2.0';
import { world } from './view.js';

/**
 * Milliseconds that a page may take to unload. A page whose script never ends does not. One that had answered is asked again after them, and
 * has as many: its own `beforeunload` may never end.
 */
const patienceMs = 5_000;

/**
 * Starts `load` in a tab. If the current page neither answers nor has begun to be replaced in time, ends its web
 * process and starts the load again in another one. Returns a function that stops this watch.
 */
export function leaveBy(load, { view, loading }, dialogs) {
  let timer = 0;
  const after = (ms, look) => {
    timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, ms, () => {
      timer = 0;
      look();
      return GLib.SOURCE_REMOVE;
    });
  };
  /** Asks the page; the returned function says whether it has answered. */
  const ask = () => {
    let answered = false;
    view
      .call_async_javascript_function('return null', -1, null, world, null, null)
      .catch(() => undefined)
      .then(() => (answered = true));
    return () => answered;
  };
  const leaveUnless = (hasAnswered) => {
    // A page whose dialog is held waits for a person.
    if (hasAnswered() || loading.hasBegun() || dialogs.isHeld()) return;
    view.terminate_web_process();
    load();
  };
  const hasAnswered = ask();
  load();
  after(patienceMs, () => {
    if (!hasAnswered()) return leaveUnless(hasAnswered);
    const answersStill = ask();
    after(patienceMs, () => leaveUnless(answersStill));
  });
  return () => {
    if (timer) GLib.source_remove(timer);
    timer = 0;
  };
}
