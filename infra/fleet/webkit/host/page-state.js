import GLib from 'gi://GLib?version=2.0';
import { addressOf, titleOf, titleScript, world } from './view.js';

/** Milliseconds without an answer after which a page counts as stalled. */
const stalledMs = 1_000;
/** Pending query by tab: its time, and the promise of the title. */
const questions = new WeakMap();

/**
 * State of a tab, even during other commands. Answers within `stalledMs`, and at once for a tab that stalled before. A page with a dialog,
 * which cannot be asked, is not stalled.
 */
export async function pageState(tab, hasDialog) {
  const { id, view, loading } = tab;
  const title = hasDialog ? titleOf(view) : await answeredTitle(tab);
  const problem = loading.problem();
  const present = problem ? 'errored' : loading.isUnderWay() ? 'loading' : 'loaded';
  return {
    state: title === null ? 'stalled' : present,
    url: addressOf(view),
    title: title ?? titleOf(view),
    tab: id,
    problem: title === null ? null : problem,
  };
}

const answeredTitle = async (tab) => (tab.view.get_is_web_process_responsive() ? toldTitle(tab) : null);

/** Null if the page does not answer in time. */
function toldTitle(tab) {
  const { askedAt, title } = questions.get(tab) ?? ask(tab);
  const late = new Promise((resolve) => {
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, Math.max(0, askedAt + stalledMs - Date.now()), () => {
      resolve(null);
      return GLib.SOURCE_REMOVE;
    });
  });
  return Promise.race([title, late]);
}

/** One query at a time: a page that has not answered is not queried again. */
function ask(tab) {
  const { view } = tab;
  let handler = 0;
  // A replaced document was responsive, but may never answer.
  const replaced = new Promise((resolve) => {
    handler = view.connect('load-changed', () => resolve(titleOf(view)));
  });
  const answer = view
    .call_async_javascript_function(titleScript, -1, null, world, null, null)
    .then((title) => title.to_string())
    .catch(() => titleOf(view));
  const title = Promise.race([answer, replaced]).finally(() => {
    view.disconnect(handler);
    questions.delete(tab);
  });
  const question = { askedAt: Date.now(), title };
  questions.set(tab, question);
  return question;
}
