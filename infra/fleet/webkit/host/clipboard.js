import Gdk from 'gi://Gdk?version=3.0';
import Gtk from 'gi://Gtk?version=3.0';

/**
 * The clipboard, which pages copy to, and the order of what reads it. A person's paste is there only until the page has taken it: it may be
 * a password, which nobody else may paste again. `answered` resolves once the page in front has handled all earlier commands.
 */
export function createClipboard({ tabs, answered }) {
  const clipboard = Gtk.Clipboard.get_default(Gdk.Display.get_default());
  const selection = Gdk.Atom.intern('CLIPBOARD', false);
  let last = Promise.resolve();

  /** Only this process copies to it, so its text is there at once. Null without a text, as of a picture. */
  const content = () => (Gdk.selection_owner_get(selection) === null ? null : clipboard.wait_for_text());
  const putBack = (text, former) => {
    // The page may have copied something else.
    if (content() !== text) return;
    if (former === null) clipboard.clear();
    else clipboard.set_text(former, -1);
  };
  return {
    /** Resolves once the act has begun, which is when earlier pastes have been taken. It is skipped if its caller gives up before. */
    inTurn: (act, onCancel) =>
      new Promise((resolve, reject) => {
        let isCancelled = false;
        onCancel(() => {
          isCancelled = true;
          resolve();
        });
        const begin = () => {
          if (isCancelled) return undefined;
          const ended = act();
          resolve();
          return ended;
        };
        last = last.then(begin).catch(reject);
      }),
    /** Resolves once the page has taken the text, or is gone. */
    paste: async (text) => {
      const former = content();
      clipboard.set_text(text, -1);
      tabs.active.view.execute_editing_command('Paste');
      await answered().catch(() => undefined);
      putBack(text, former);
    },
  };
}
