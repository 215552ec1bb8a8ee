import Gtk from 'gi://Gtk?version=3.0';
import { doubleTapMs, silenceMs } from './gestures.js';

/**
 * Keys that a page has not reported yet. They pass through the X server; text, pastes and editing commands do not, and would overtake them.
 */
function followKeys(answers) {
  const due = { keydown: 0, keyup: 0 };
  let reported;
  return {
    sent(down) {
      due[down ? 'keydown' : 'keyup'] += 1;
      reported ??= answers
        .until((answer) => {
          if (due[answer] > 0) due[answer] -= 1;
          return due.keydown + due.keyup > 0 ? silenceMs : 0;
        })
        .then(() => {
          due.keydown = due.keyup = 0;
          reported = undefined;
        });
    },
    /** Resolves once all sent keys are reported, or the page is unresponsive; undefined if none is pending. */
    reported: () => reported,
  };
}

/**
 * Passes on a person's input as it arrives, to the touchscreen and keyboard that operations use too. Points are in
 * pixels of the view, which is what the person sees, whatever the page's layout width and pinch zoom are.
 */
export function createHands({ tabs, touchscreen, keyboard, answers, clipboard }) {
  const settings = Gtk.Settings.get_default();
  /** Key codes that are held down, by the name that the client gave the key. */
  const held = new Map();
  const keys = followKeys(answers);
  const put = (code, down) => {
    keyboard.put(code, down);
    keys.sent(down);
  };
  const release = (name) => {
    for (const code of (held.get(name) ?? []).reverse()) put(code, false);
    held.delete(name);
  };
  /** Skipped if its caller has given up. */
  const behindKeys = (act) => async (input, onCancel) => {
    let isCancelled = false;
    onCancel(() => (isCancelled = true));
    await keys.reported();
    if (!isCancelled) await act(input, onCancel);
  };
  /** The same, behind earlier pastes. */
  const behindPastes = (act) => behindKeys((input, onCancel) => clipboard.inTurn(() => act(input), onCancel));

  const acts = {
    touch: ({ type, finger, x, y }) => {
      if (settings.gtk_double_click_time !== doubleTapMs) settings.gtk_double_click_time = doubleTapMs;
      touchscreen.put(finger, type, x, y);
    },
    /** Presses a key until `key_up`. A repeated `key_down` presses it again. */
    key_down: ({ name, key, with: others }) => {
      release(name);
      const all = keyboard.chord([...others, key]);
      for (const code of all) put(code, true);
      held.set(name, all);
    },
    key_up: ({ name }) => release(name),
    text: behindKeys(({ text }) => tabs.active.inputMethod.emit('committed', text)),
    paste: behindPastes(({ text }) => clipboard.paste(text)),
    edit: behindPastes(({ command }) => tabs.active.view.execute_editing_command(command)),
    lift: () => {
      for (const name of [...held.keys()]) release(name);
      touchscreen.lift();
      keyboard.release();
    },
  };
  return ({ act, ...input }, onCancel) => acts[act](input, onCancel);
}
