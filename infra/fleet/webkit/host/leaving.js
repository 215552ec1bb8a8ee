import GLib from 'gi://GLib?version=2.0';
import { world } from './view.js';

/** Milliseconds that a page may take to unload. A page whose script never ends does not. */
const patienceMs = 5_000;

/**
 * Starts `load` in a tab. If the current page neither answers nor has begun to be replaced in time, ends its web
 * process and starts the load again in another one. Returns a function that stops this watch.
 */
export function leaveBy(load, { view, loading }) {
  let answered = false;
  view
    .call_async_javascript_function('return null', -1, null, world, null, null)
    .catch(() => undefined)
    .then(() => (answered = true));
  load();
  let timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, patienceMs, () => {
    timer = 0;
    if (!answered && !loading.hasBegun()) {
      view.terminate_web_process();
      load();
    }
    return GLib.SOURCE_REMOVE;
  });
  return () => {
    if (timer) GLib.source_remove(timer);
    timer = 0;
  };
}
