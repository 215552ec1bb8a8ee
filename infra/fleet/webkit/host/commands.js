import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { CommandFailed } from './channel.js';
import { createClipboard } from './clipboard.js';
import { allCookies, setCookies } from './cookies.js';
import { answersScript, createFinger, createKeys, scaleOf } from './gestures.js';
import { createHands } from './hands.js';
import { goInHistory } from './history.js';
import { leaveBy } from './leaving.js';
import { domReadyScript, isSameDocument } from './loading.js';
import { pageState } from './page-state.js';
import { assertFits, cut, sidesScript, writeJpeg } from './picture.js';
import { settle } from './settle.js';
import { leaveState, restoreState } from './state.js';
import { addressOf, atStart, hasCaretScript, withoutCaret, world } from './view.js';
import { viewportScript } from './viewport.js';

Gio._promisify(WebKit2.WebView.prototype, 'call_async_javascript_function');
Gio._promisify(WebKit2.WebView.prototype, 'get_snapshot');

const read = (path) => new TextDecoder().decode(GLib.file_get_contents(path)[1]);

/** Milliseconds within which the end of a web process is reported, also on a busy machine. */
const goneMs = 500;

/** Pixels of a picture of the view for each CSS pixel. */
const pixelsOf = async (view) => view.get_scale_factor() * (await scaleOf(view));

/**
 * The commands that the node can send. Each takes one JSON value and returns one; the `code` of a thrown error is sent
 * back. Commands that wait for the page register with `onCancel` how they are cancelled.
 */
export function createCommands(browser, { touchscreen, keyboard }, { scripts, state }, tell) {
  const { content, context, tabs, answers, layout, dialogs, downloads, sessions } = browser;
  /** A world name that differs for each browser, so that pages cannot recognize our browsers by it. */
  const mark = GLib.uuid_string_random();
  const install = `${read(scripts.service)}\nserviceScript.install(${JSON.stringify({ mark })});`;
  const call = (body, values = {}) => {
    const { view } = tabs.active;
    const argument = new GLib.Variant('a{sv}', values);
    const answer = view.call_async_javascript_function(body, -1, argument, world, null, null);
    return untilReplaced(tabs, view, answer);
  };
  /** Runs an operation of the page's script. Returns its result, or the reason of its failure. */
  const run = async (script, input) => {
    const values = () => ({
      name: new GLib.Variant('s', script),
      input: new GLib.Variant('s', JSON.stringify(input ?? null)),
    });
    const ask = 'return globalThis.service ? await service(name, input) : null;';
    const value = await call(ask, values());
    if (!value.is_null()) return JSON.parse(value.to_string());
    // The document was loaded before the scripts were installed.
    await call(install);
    return JSON.parse((await call(ask, values())).to_string());
  };
  const clipboard = createClipboard({ tabs, answered: () => call('return null') });
  const finger = createFinger({ view: () => tabs.active.view, touchscreen, answers, tell });
  const surface = `${read(scripts.finger)}\n${read(scripts.surface)}`;
  const noise = read(scripts.noise);
  const cookieManager = context.get_website_data_manager().get_cookie_manager();

  /** Not WebDriver's snapshot, which waits for the page to paint again: a page with nothing to scroll never does. */
  const paint = async (view, region) => {
    const painting = () => view.get_snapshot(region, WebKit2.SnapshotOptions.NONE, null);
    const hasCaret = (await call(hasCaretScript)).to_boolean();
    return hasCaret ? withoutCaret({ view, content }, painting) : painting();
  };
  return {
    identify: async ({ user_agent, viewport, screen, noise_seed }) => {
      const { view } = tabs.active;
      view.get_settings().set_user_agent(user_agent);
      layout.deviceWidth = viewport.width;
      tabs.window.resize(viewport.width, viewport.height);
      await sized(view, viewport);
      const start = `(() => { ${surface}
presentPhone(${JSON.stringify({ screen })}); })();`;
      const disturb = `(() => { ${noise}
addNoise(${JSON.stringify(noise_seed)}); })();`;
      tabs.present([
        // Must come before our script that suppresses events.
        atStart(answersScript, world, WebKit2.UserContentInjectedFrames.ALL_FRAMES),
        // Must come before the page's listeners: a touch that hits the wrong element is suppressed before the page sees
        // it.
        atStart(install, world, WebKit2.UserContentInjectedFrames.ALL_FRAMES),
        atStart(start, null, WebKit2.UserContentInjectedFrames.ALL_FRAMES),
        ...(noise_seed === null
          ? []
          : [atStart(disturb, null, WebKit2.UserContentInjectedFrames.ALL_FRAMES)]),
        atStart(domReadyScript, world, WebKit2.UserContentInjectedFrames.TOP_FRAME),
        atStart(viewportScript, world, WebKit2.UserContentInjectedFrames.TOP_FRAME),
        sessions.tellScript,
      ]);
    },
    locate: (place) => browser.location.locate(place, tabs.views()),
    restore: () => restoreState(browser, state),
    leave: (sites) => leaveState(browser, state, sites),
    load: (input, onCancel) => load(browser, input, onCancel),
    reached: ({ state }, onCancel) => reached(tabs, state, onCancel),
    settle: (input, onCancel) => settle(browser, input, onCancel),
    happened: () => ({ dialogs: dialogs.take(), downloads: downloads.take() }),
    begin_action: (input) => {
      dialogs.answerBy(input.dialogs);
      tabs.hold();
      return { tab: tabs.active.id };
    },
    end_action: () => {
      dialogs.answerBy(null);
      tabs.release();
    },
    page: () => ({ url: addressOf(tabs.active.view) }),
    busy: () => tabs.active.loading.isBusy(),
    activate_tab: ({ id }) => tabs.activate(id),
    close_tab: ({ id }) => tabs.close(id),
    downloads: () => downloads.list(),
    headers: (names) => headersOf(tabs.active.view, names),
    run: ({ script, input }) => run(script, input),
    finger,
    press: (input, onCancel) => press({ run, finger }, input, onCancel),
    hand: createHands({ tabs, touchscreen, keyboard, answers, clipboard }),
    hold_dialogs: ({ held_ms }) => dialogs.hold(held_ms, (dialog) => tell({ event: 'dialog', dialog })),
    answer_dialog: (input) => dialogs.answer(input),
    keys: createKeys(keyboard, () => tabs.active.inputMethod, answers),
    cookies: () => allCookies(cookieManager),
    set_cookies: (given, onCancel) => setCookies(cookieManager, given, onCancel),
    page_state: () => pageState(tabs.active, dialogs.isHeld()),
    capture_state: async (input) => {
      const [cookies, page] = await Promise.all([allCookies(cookieManager), run('state', input)]);
      const shown = { url: addressOf(tabs.active.view), tabs: tabs.list(), downloads: downloads.list() };
      return { ...shown, cookies, page };
    },
    history: ({ tab, back }, onCancel) => {
      // A page cannot be left while it waits for the answer.
      dialogs.conclude();
      return goInHistory(tab === null ? tabs.active : tabs.find(tab), back, onCancel);
    },
    pdf: ({ path }) => printTo(tabs.active.view, path),
    screenshot: async ({ path, full = false, box }) => {
      const { VISIBLE, FULL_DOCUMENT } = WebKit2.SnapshotRegion;
      const { view } = tabs.active;
      // The viewport needs none: the page is not asked.
      const scale = full || box ? await pixelsOf(view) : 1;
      if (box) assertFits([box.width, box.height], scale);
      if (full) assertFits(JSON.parse((await call(sidesScript)).to_string()), scale);
      const picture = await paint(view, full ? FULL_DOCUMENT : VISIBLE);
      const part = box && cut(picture, box, scale);
      (part ?? picture).writeToPNG(path);
    },
    picture: async ({ path, covers }) => {
      const { view } = tabs.active;
      const scale = await pixelsOf(view);
      writeJpeg(await paint(view, WebKit2.SnapshotRegion.VISIBLE), covers, scale, path);
    },
    watch: (how) => browser.picture.watch(tabs.window, how),
    unwatch: ({ kind }) => browser.picture.unwatch(kind),
    edit: ({ command }, onCancel) =>
      clipboard.inTurn(() => tabs.active.view.execute_editing_command(command), onCancel),
  };
}

/** Aims, touches and gets the verdict in one command, because the page could change during round trips to the node. */
async function press({ run, finger }, { aim, verdict, ...gesture }, onCancel) {
  let cancelled = false;
  onCancel(() => {
    cancelled = true;
  });
  const aimed = await run('aim', aim);
  if ('failure' in aimed) return { aimed, verdict: null };
  if (cancelled) throw new CommandFailed('cancelled', 'Nobody waits for it any longer.');
  const { point, scale } = aimed.value;
  await finger({ ...gesture, scale, from: point }, onCancel);
  // If the press has replaced the document, it cannot report that it arrived.
  const came = await run('verdict', verdict).catch((error) => {
    if (error.code !== 'replaced') throw error;
    return null;
  });
  return { aimed, verdict: came };
}

/**
 * The script's answer. Rejects with `DocumentReplaced` when its document is replaced or its tab leaves the front,
 * because then the script may never answer.
 */
function untilReplaced(tabs, view, answer) {
  return new Promise((resolve, reject) => {
    const replaced = () => reject(new DocumentReplaced());
    const committed = view.connect('load-changed', (_view, change) => {
      if (change === WebKit2.LoadEvent.COMMITTED) replaced();
    });
    const forget = tabs.onLeaving(view, replaced);
    // The web process may have exited, which is reported a moment later and is then the reason.
    const failed = (error) =>
      void GLib.timeout_add(GLib.PRIORITY_DEFAULT, goneMs, () => {
        reject(error);
        return GLib.SOURCE_REMOVE;
      });
    answer.then(resolve, failed).finally(() => {
      forget();
      if (tabs.showing(view)) view.disconnect(committed);
    });
  });
}

class DocumentReplaced extends Error {
  code = 'replaced';
}

async function load(
  { tabs, dialogs, downloads, signIn },
  { url, wait_until, credentials, downloads_ms },
  onCancel,
) {
  const tab = tabs.active;
  const { view, loading } = tab;
  if (credentials) signIn.remember(credentials);
  const page = () => ({ url: addressOf(view), status: statusOf(view) });
  if (isSameDocument(view.get_uri(), url)) {
    view.load_uri(url);
    return page();
  }
  tab.file = null;
  loading.request();
  const stopWatching = leaveBy(() => view.load_uri(url), tab, dialogs);
  const stopping = (stop) =>
    onCancel(() => {
      stop();
      view.stop_loading();
    });
  try {
    await loading.loaded(wait_until, stopping);
    return page();
  } catch (error) {
    if (error.code !== 'no_page' || tab.file === null) throw error;
    // The previous page is still there.
    await downloads.ended(downloads_ms, onCancel);
    return tab.file;
  } finally {
    stopWatching();
  }
}

/** If a tab closes meanwhile, as sign-in tabs do, the wait continues with the tab behind it. */
async function reached(tabs, state, onCancel) {
  for (;;) {
    try {
      return await tabs.active.loading.reached(state, onCancel);
    } catch (error) {
      if (error.code !== 'closed') throw error;
    }
  }
}

/** Resolves once the view has that size. The display server takes a while, and a page must not see the old size. */
function sized(view, { width, height }) {
  return new Promise((resolve) => {
    const look = () => {
      const there = view.get_allocated_width() === width && view.get_allocated_height() === height;
      if (there) resolve();
      return there ? GLib.SOURCE_REMOVE : GLib.SOURCE_CONTINUE;
    };
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, 5, look);
  });
}

/** HTTP status of the page; null if it was not loaded over HTTP. */
function statusOf(view) {
  const response = view.get_main_resource()?.get_response();
  return response?.get_status_code() || null;
}

function headersOf(view, names) {
  const headers = view.get_main_resource()?.get_response()?.get_http_headers();
  const found = names.map((name) => [name, headers?.get_one(name) ?? null]);
  return Object.fromEntries(found.filter(([, value]) => value !== null));
}

function printTo(view, path) {
  const settings = new Gtk.PrintSettings();
  settings.set('output-uri', `file://${path}`);
  settings.set('output-file-format', 'pdf');
  settings.set_printer('Print to File');
  const operation = new WebKit2.PrintOperation({ web_view: view, print_settings: settings });
  return new Promise((resolve, reject) => {
    operation.connect('finished', () => resolve());
    operation.connect('failed', (_operation, error) => reject(error));
    // A tab that closes meanwhile reports neither.
    view.connect('destroy', () => reject(new CommandFailed('closed', 'The tab was closed.')));
    operation.print();
  });
}
