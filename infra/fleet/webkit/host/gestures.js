import GLib from 'gi://GLib?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import { CommandFailed } from './channel.js';
import { world } from './view.js';

/** Runs in our world at the start of each document: reports which input events the page has handled. */
export const answersScript = `{
  const post = (word) => webkit.messageHandlers.answers.postMessage(word);
  const say = ({ type, isTrusted }) => { if (isTrusted) post(type); };
  for (const type of ['keydown', 'keyup', 'touchend', 'touchcancel', 'mouseup'])
    addEventListener(type, say, { capture: true, passive: true });
  addEventListener('touchstart', (start) => {
    const [target] = start.composedPath();
    // A touch keeps its first element as the target, even after that has left the document.
    const sayUnseen = (ended) => { if (!target.isConnected) say(ended); };
    // A prevented touch causes no mouse events. Whether it was prevented is known after the page's listeners.
    const sayPrevented = (end) => setTimeout(() => { if (start.defaultPrevented || end.defaultPrevented) post('prevented'); });
    for (const type of ['touchend', 'touchcancel'])
      target.addEventListener(type, sayUnseen, { once: true, passive: true });
    target.addEventListener('touchend', sayPrevented, { once: true, passive: true, capture: true });
  }, { capture: true, passive: true });
}`;

/** Maximal number of keys in flight: those cannot be recalled. */
const keysAtOnce = 16;
/** Milliseconds without a report after which a page counts as gone, or as blocked by a dialog. */
export const silenceMs = 1_000;
/** Milliseconds after a touch by which the mouse events of its tap have arrived, if there are any. */
const tapMs = 80;
/** The last events of a tap. */
const lastAnswers = ['mouseup', 'prevented'];
/** Milliseconds between two taps that are one double tap. */
export const doubleTapMs = 400;

/** Collects the reports of pages about handled input events. */
export function followAnswers(content) {
  const listeners = new Set();
  content.register_script_message_handler_in_world('answers', world);
  content.connect('script-message-received::answers', (_content, message) => {
    const type = message.get_js_value().to_string();
    for (const listener of [...listeners]) listener(type);
  });
  return {
    /**
     * Calls `next` with each report. It returns for how many milliseconds to wait for another one, or 0 to stop. Resolves on stop, or after
     * that time.
     */
    until(next) {
      return new Promise((resolve) => {
        let timer = 0;
        const wait = (ms) => {
          if (timer) GLib.source_remove(timer);
          timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, ms, () => {
            timer = 0;
            end();
            return GLib.SOURCE_REMOVE;
          });
        };
        const end = () => {
          if (timer) GLib.source_remove(timer);
          listeners.delete(listen);
          resolve();
        };
        const listen = (type) => {
          const ms = next(type);
          if (ms > 0) wait(ms);
          else end();
        };
        listeners.add(listen);
        wait(silenceMs);
      });
    },
  };
}

/** Performs steps one after the other until it is cancelled. A pause begins when the steps before it have arrived. */
async function perform(steps, onCancel, step, arrived) {
  let stopped = false;
  let wake = () => undefined;
  onCancel(() => {
    stopped = true;
    wake();
  });
  const pause = (ms) =>
    new Promise((resolve) => {
      const timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, ms, () => {
        wake = () => undefined;
        resolve();
        return GLib.SOURCE_REMOVE;
      });
      wake = () => {
        GLib.source_remove(timer);
        resolve();
      };
    });
  for (const each of steps) {
    if (each.type !== 'pause') await step(each);
    else {
      await arrived?.();
      if (!stopped) await pause(each.ms);
    }
    if (stopped) throw new CommandFailed('cancelled', 'Nobody waits for it any longer.');
  }
}

/**
 * Pixels of the view for one CSS pixel of the page, which may be laid out wider than the device, and may be pinched.
 */
export const scaleOf = async (view, pinched) => view.get_zoom_level() * (pinched ?? (await pinchedIn(view)));

async function pinchedIn(view) {
  const pinched = view
    .call_async_javascript_function('return visualViewport.scale', -1, null, world, null, null)
    .then((scale) => scale.to_double());
  const late = new Promise((resolve) => {
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, silenceMs, () => {
      resolve(1);
      return GLib.SOURCE_REMOVE;
    });
  });
  return Promise.race([pinched.catch(() => 1), late]);
}

/**
 * Performs `down`, `move` and `up` of fingers, in CSS pixels relative to a point of the viewport, and pauses. Fingers
 * are lifted when it is cancelled.
 */
export function createFinger({ view, touchscreen, answers, tell }) {
  const settings = Gtk.Settings.get_default();
  /** While people watch, each touch is announced to them a moment before. */
  const announced = (steps, ms, seen) => {
    const first = steps.find(({ type }) => type === 'down');
    if (!ms || first === undefined) return steps;
    tell({ event: 'aimed', ...seen(first) });
    return [{ type: 'pause', ms }, ...steps];
  };
  return async (input, onCancel) => {
    const { multiple = false, scale: pinched, from = { x: 0, y: 0 }, announce_ms } = input;
    const scale = await scaleOf(view(), pinched);
    const seen = ({ x, y }) => ({ x: (from.x + x) * scale, y: (from.y + y) * scale });
    const steps = announced(input.steps, announce_ms, seen);
    // Taps in quick succession are separate, unless a double tap is requested.
    const within = multiple ? doubleTapMs : 0;
    if (settings.gtk_double_click_time !== within) settings.gtk_double_click_time = within;
    try {
      const touch = async ({ type, x, y, finger = 0 }) => {
        const last = type === 'up' && touchscreen.fingers() === 1;
        const dealtWith = last && answers.until((answer) => (lastAnswers.includes(answer) ? 0 : tapMs));
        touchscreen.put(finger, type, (from.x + x) * scale, (from.y + y) * scale);
        await dealtWith;
      };
      // A finger is held for as long as the view sees it, also when the X server is late.
      await perform(steps, onCancel, touch, () => touchscreen.fingers() > 0 && touchscreen.passed());
    } finally {
      // For a touch that has ended, wait for the page's report: the X server takes a moment to pass it on.
      if (touchscreen.fingers() > 0) {
        touchscreen.lift();
        await touchscreen.passed();
      }
    }
  };
}

/**
 * Performs `press` of a key with others held, each named by its character or X keysym; `text`, which no key writes; and
 * pauses.
 */
export function createKeys(keyboard, inputMethod, answers) {
  const stroke = ({ key, held = [] }) => {
    const all = keyboard.chord([...held, key]);
    all.forEach((code) => keyboard.put(code, true));
    all.reverse().forEach((code) => keyboard.put(code, false));
    return all.length;
  };
  return async (steps, onCancel) => {
    try {
      await perform(inGroups(steps), onCancel, async ({ group, text }) => {
        if (text !== undefined) return inputMethod().emit('committed', text);
        let open = 0;
        const dealtWith = answers.until((answer) => {
          if (answer === 'keyup') open -= 1;
          return open > 0 ? silenceMs : 0;
        });
        for (const each of group) open += stroke(each);
        await dealtWith;
      });
    } finally {
      keyboard.release();
    }
  };
}

/** Groups keys into batches of the number that may be in flight. Any other step is its own batch. */
function inGroups(steps) {
  const grouped = [];
  for (const step of steps) {
    const last = grouped.at(-1);
    if (step.type !== 'press') grouped.push(step);
    else if (last?.group && last.group.length < keysAtOnce) last.group.push(step);
    else grouped.push({ group: [step] });
  }
  return grouped;
}
