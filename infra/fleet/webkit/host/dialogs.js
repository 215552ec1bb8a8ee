import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';

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
const longestMessage = 1000;

/** Answers dialogs at once, by default or as the current action says, and records them until `take`. */
export function createDialogs() {
  /** `{accept, prompt_text}` of the current action; null for the defaults. */
  let answers = null;
  let answered = [];

  const answer = (dialog) => {
    const { type, accepted: byDefault } = kinds.get(dialog.get_dialog_type());
    // An alert has one button.
    const accepted = type === 'alert' || (answers?.accept ?? byDefault);
    if (type === 'confirm' || type === 'beforeunload') dialog.confirm_set_confirmed(accepted);
    if (type === 'prompt' && accepted)
      dialog.prompt_set_text(answers.prompt_text ?? dialog.prompt_get_default_text());
    const message = (dialog.get_message() ?? '').slice(0, longestMessage);
    if (answered.length < mostKept) answered.push({ type, accepted, message });
  };
  return {
    follow: ({ view }) =>
      view.connect('script-dialog', (_view, dialog) => {
        answer(dialog);
        // Without this the dialog stays open, and the page blocked, until garbage collection.
        GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
          dialog.close();
          return GLib.SOURCE_REMOVE;
        });
        return true;
      }),
    answerBy: (given) => {
      answers = given;
    },
    take: () => answered.splice(0),
  };
}
