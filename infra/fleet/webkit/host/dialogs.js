import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { addressOf } from './view.js';

const { ALERT, CONFIRM, PROMPT, BEFORE_UNLOAD_CONFIRM } = WebKit2.ScriptDialogType;
/** Default answers: nothing is confirmed, and a page may be left. */
const kinds = new Map([
  [ALERT, { type: 'alert', accepted: true }],
  [CONFIRM, { type: 'confirm', accepted: false }],
  [PROMPT, { type: 'prompt', accepted: false }],
  [BEFORE_UNLOAD_CONFIRM, { type: 'beforeunload', accepted: true }],
]);
/** Maximal number of recorded dialogs; a page may open any number, and each is answered. */
const mostKept = 20;
/** Maximal length of a message and of a prompt's default text, in characters. */
const longestText = 1000;

const cut = (text) => (text ?? '').slice(0, longestText);

/**
 * Answers dialogs and records them until `take`: at once, by default or as the current action says. While a person drives, a dialog of the
 * tab in front is held open for the person's answer. A held one gets its default answer after a time, when its page is left, and when
 * dialogs are held no longer.
 */
export function createDialogs(isInFront) {
  /** `{accept, prompt_text}` of the current action; null for the defaults. */
  let answers = null;
  let answered = [];
  /** How dialogs are held: `{held_ms, tell}`; undefined if they are not. */
  let holding;
  /** The dialog that is open: its id, its tab, and `conclude`. */
  let open;
  let lastId = 0;

  /** Sets the answer, which takes effect when the dialog closes. An alert has one button. */
  const answer = (dialog, accept, promptText) => {
    const { type, accepted: byDefault } = kinds.get(dialog.get_dialog_type());
    const accepted = type === 'alert' || (accept ?? byDefault);
    if (type === 'confirm' || type === 'beforeunload') dialog.confirm_set_confirmed(accepted);
    if (type === 'prompt' && accepted) dialog.prompt_set_text(promptText ?? dialog.prompt_get_default_text());
    if (answered.length < mostKept) answered.push({ type, accepted, message: cut(dialog.get_message()) });
  };
  const hold = (dialog, tab, url) => {
    const { held_ms, tell } = holding;
    const { type } = kinds.get(dialog.get_dialog_type());
    const id = (lastId += 1);
    const timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, held_ms, () => {
      open.conclude();
      return GLib.SOURCE_REMOVE;
    });
    open = {
      ...{ id, tab },
      conclude: (accept, promptText) => {
        open = undefined;
        GLib.source_remove(timer);
        answer(dialog, accept, promptText);
        dialog.close();
        tell(null);
      },
    };
    const default_text = type === 'prompt' ? cut(dialog.prompt_get_default_text()) : null;
    tell({ id, type, message: cut(dialog.get_message()), default_text, url });
  };
  return {
    follow: (tab) => {
      const { view } = tab;
      /** Address of the page, also while the next one is loading, whose address is already the view's. */
      let url = '';
      view.connect('load-changed', (_view, change) => {
        if (change === WebKit2.LoadEvent.COMMITTED) url = addressOf(view);
        if (open?.tab === tab) open.conclude();
      });
      view.connect('script-dialog', (_view, dialog) => {
        if (holding && !open && isInFront(tab)) {
          hold(dialog, tab, url);
          return true;
        }
        answer(dialog, answers?.accept, answers?.prompt_text);
        // Without this the dialog stays open, and the page blocked, until garbage collection.
        GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
          dialog.close();
          return GLib.SOURCE_REMOVE;
        });
        return true;
      });
    },
    answerBy: (given) => {
      answers = given;
    },
    /** Holds dialogs from now on, for `held_ms` milliseconds each; null: no longer. */
    hold: (held_ms, tell) => {
      holding = held_ms === null ? undefined : { held_ms, tell };
      if (!holding) open?.conclude();
    },
    /** Answers the dialog with that id. False if it is not open any more. */
    answer: ({ id, accept, text }) => {
      if (open?.id !== id) return false;
      open.conclude(accept, text);
      return true;
    },
    isHeld: () => open !== undefined,
    /** Gives an open dialog its default answer. */
    conclude: () => open?.conclude(),
    take: () => answered.splice(0),
  };
}
