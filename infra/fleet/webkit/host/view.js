import GObject from 'gi://GObject?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';

/** The script world our own scripts run in. Pages share the document with it and nothing else. */
export const world = 'service';

/** Characters of a title that are told: those of a page may be as long as its memory. */
const longestTitle = 4_096;

export const titleOf = (view) => (view.get_title() ?? '').slice(0, longestTitle);

/** Asks the page itself, which knows it sooner. */
export const titleScript = `return document.title.slice(0, ${longestTitle})`;

/** A script for the start of documents; in the page's own world where `inWorld` is null, and of the addresses given. */
export function atStart(source, inWorld, frames, addresses = null) {
  const { START } = WebKit2.UserScriptInjectionTime;
  return inWorld === null
    ? WebKit2.UserScript.new(source, frames, START, addresses, null)
    : WebKit2.UserScript.new_for_world(source, frames, START, inWorld, addresses, null);
}

/** Keys are the keyboard's own; what no key has is committed as an input method does. */
const InputMethod = GObject.registerClass(
  class InputMethod extends WebKit2.InputMethodContext {
    vfunc_filter_key_event() {
      return false;
    }
  },
);

/**
 * A WebView with no way to ask a person. One that a page opened shares its opener's process and settings.
 */
export function createView({ context, content, picture, related }) {
  const view = new WebKit2.WebView({
    user_content_manager: content,
    ...(related === undefined
      ? { web_context: context, settings: createSettings() }
      : { related_view: related, settings: related.get_settings() }),
  });
  const inputMethod = new InputMethod();
  view.set_input_method_context(inputMethod);
  refuse(view);
  // While nobody watches, nobody looks at the window, and captures are painted by the page's process. To paint one that is being loaded,
  // or has come to the front, this process waits for that one for up to half a second, in which it does nothing else.
  view.connect('draw', (_view, context) => {
    // Until it is collected as garbage, a context holds what it draws on: a picture of the window in the X server, one for each frame.
    context.$dispose();
    return !picture.draws();
  });
  return { view, inputMethod };
}

/**
 * Every request goes through the proxy. What sites store and a profile keeps is in `state`, with a directory for each part of it;
 * everything else is in `scratch` and goes with the browser.
 */
export function createContext({ scratch, state, proxy, sandbox }) {
  const data = new WebKit2.WebsiteDataManager({
    base_data_directory: `${scratch}/data`,
    base_cache_directory: `${scratch}/cache`,
    local_storage_directory: `${state}/data/local_storage`,
    indexeddb_directory: `${state}/data/indexeddb`,
    service_worker_registrations_directory: `${state}/data/service_workers`,
    dom_cache_directory: `${state}/data/cache`,
  });
  // No host is exempt: loopback goes through the proxy too, so what may be reached is decided in one place.
  data.set_network_proxy_settings(
    WebKit2.NetworkProxyMode.CUSTOM,
    WebKit2.NetworkProxySettings.new(`http://127.0.0.1:${proxy.port}`, []),
  );
  data
    .get_cookie_manager()
    .set_persistent_storage(`${scratch}/cookies.sqlite`, WebKit2.CookiePersistentStorage.SQLITE);
  data.get_cookie_manager().set_accept_policy(WebKit2.CookieAcceptPolicy.NO_THIRD_PARTY);
  const context = new WebKit2.WebContext({ website_data_manager: data });
  if (sandbox) context.set_sandbox_enabled(true);
  context.set_preferred_languages(['en-US']);
  context.set_cache_model(WebKit2.CacheModel.DOCUMENT_VIEWER);
  return context;
}

const createSettings = () =>
  new WebKit2.Settings({
    enable_webrtc: false,
    enable_media_stream: false,
    enable_dns_prefetching: false,
    enable_page_cache: false,
    enable_developer_extras: false,
    enable_back_forward_navigation_gestures: false,
    allow_file_access_from_file_urls: false,
    javascript_can_open_windows_automatically: false,
    hardware_acceleration_policy: WebKit2.HardwareAccelerationPolicy.NEVER,
  });

/**
 * The scrollbars of a phone take no touches and have no looks of a page's. WebKitGTK's lie over what scrolls, seen or not, and take
 * what comes down on their 20 pixels.
 */
export const withoutScrollbars = () => userStyle('*::-webkit-scrollbar { display: none !important }');

/** Whether there may be a caret in the document or in what it shows of others. */
export const hasCaretScript = `
  const active = document.activeElement;
  return active !== null && (active.isContentEditable || active.shadowRoot !== null || active.matches('input, textarea, iframe, frame'));`;

/**
 * Paints while no caret is shown, which a phone does not paint into its pages either. The page's process takes these messages one
 * after the other, so that no script of a page runs in between; and without transitions, because the colour of a caret has them too.
 */
export function withoutCaret({ view, content }, paint) {
  const still = userStyle(':focus, :focus * { transition: none !important }');
  const hidden = userStyle(':focus, :focus * { caret-color: transparent !important }');
  content.add_style_sheet(still);
  content.add_style_sheet(hidden);
  const painted = paint();
  content.remove_style_sheet(hidden);
  const styled = 'getComputedStyle(document.activeElement ?? document.documentElement).caretColor';
  view.call_async_javascript_function(styled, -1, null, world, null, null).catch(() => undefined);
  content.remove_style_sheet(still);
  return painted;
}

/** What styles of pages cannot overrule. */
const userStyle = (css) =>
  new WebKit2.UserStyleSheet(
    css,
    WebKit2.UserContentInjectedFrames.ALL_FRAMES,
    WebKit2.UserStyleLevel.USER,
    null,
    null,
  );

/** There is nobody to ask: files, colors and options are not chosen in windows, and nothing is printed. */
function refuse(view) {
  for (const chooser of ['run-file-chooser', 'run-color-chooser']) {
    view.connect(chooser, (_view, request) => {
      request.cancel();
      return true;
    });
  }
  view.connect('show-option-menu', (_view, menu) => {
    menu.close();
    return true;
  });
  view.connect('print', () => true);
  view.connect('context-menu', () => true);
}
