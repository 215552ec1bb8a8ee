import GLib from 'gi://GLib?version=2.0';
import { CommandFailed } from './channel.js';
import { beginMs } from './loading.js';
import { world } from './view.js';

/** Goes to the entry before or after the present one. Resolves once its page is shown. */
export async function goInHistory({ view, loading }, back, onCancel) {
  const list = view.get_back_forward_list();
  const entry = back ? list.get_back_item() : list.get_forward_item();
  if (entry === null) throw new CommandFailed('no_entry', 'The history ends there.');
  const isSameAddress = entry.get_uri() === view.get_uri();
  const ask = (script) => view.call_async_javascript_function(script, -1, null, world, null, null);
  let timer = 0;
  let isOver = false;
  const stay = () => {
    timer = 0;
    if (!isOver) loading.stay();
    return GLib.SOURCE_REMOVE;
  };
  loading.request();
  // If only the address and history state change, nothing is loaded.
  ask("await new Promise((done) => addEventListener('popstate', done, { once: true, capture: true }))")
    .then(stay)
    .catch(() => undefined);
  view.go_to_back_forward_list_item(entry);
  // Nor if it is an entry of a frame, of which the page hears nothing.
  if (isSameAddress)
    ask('return null')
      .then(() => {
        if (!isOver) timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, beginMs, stay);
      })
      .catch(() => undefined);
  try {
    await loading.loaded('committed', (stop) =>
      onCancel(() => {
        stop();
        view.stop_loading();
        loading.stay();
      }),
    );
  } finally {
    isOver = true;
    if (timer) GLib.source_remove(timer);
  }
}
