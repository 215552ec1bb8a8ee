import Gdk from 'gi://Gdk?version=3.0';
import Gtk from 'gi://Gtk?version=3.0';

/** Milliseconds between two taps that are one double tap. */
const doubleTapMs = 400;

/**
 * Passes on a person's input as it arrives, to the touchscreen and keyboard that operations use too. Points are in
 * pixels of the view, which is what the person sees, whatever the page's layout width and pinch zoom are.
 */
export function createHands({ tabs, touchscreen, keyboard }) {
  const settings = Gtk.Settings.get_default();
  const clipboard = Gtk.Clipboard.get_default(Gdk.Display.get_default());
  /** Key codes that are held down, by the name that the client gave the key. */
  const held = new Map();
  const release = (name) => {
    for (const code of (held.get(name) ?? []).reverse()) keyboard.put(code, false);
    held.delete(name);
  };
  const commit = (text) => tabs.active.inputMethod.emit('committed', text);

  const acts = {
    touch: ({ type, finger, x, y }) => {
      if (settings.gtk_double_click_time !== doubleTapMs) settings.gtk_double_click_time = doubleTapMs;
      touchscreen.put(finger, type, x, y);
    },
    /** The key is held until `key_up`. A repeated `key_down` presses it again. */
    key_down: ({ name, key, with: others }) => {
      release(name);
      const codes = [...others, key].map((each) => keyboard.find(each));
      const shifted = codes.some((code) => code.shifted);
      const all = [...(shifted ? [keyboard.find('Shift_L')] : []), ...codes].map(({ code }) => code);
      for (const code of all) keyboard.put(code, true);
      held.set(name, all);
    },
    key_up: ({ name }) => release(name),
    text: ({ text }) => commit(text),
    paste: ({ text }) => {
      clipboard.set_text(text, -1);
      tabs.active.view.execute_editing_command('Paste');
    },
    edit: ({ command }) => tabs.active.view.execute_editing_command(command),
    lift: () => {
      for (const name of [...held.keys()]) release(name);
      touchscreen.lift();
      keyboard.release();
    },
  };
  return ({ act, ...input }) => {
    acts[act](input);
  };
}
