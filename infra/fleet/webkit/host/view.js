import GObject from 'gi://GObject?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';

/** The script world of our scripts. It shares only the document with the page. */
export const world = 'service';

/** Titles are cut to this many characters, as a page can set one of any length. */
const longestTitle = 4_096;

export const titleOf = (view) => (view.get_title() ?? '').slice(0, longestTitle);

/** So are addresses, which a page can extend without limit. Servers take far shorter ones. */
const longestAddress = 65_536;

export const cutAddress = (address) => address.slice(0, longestAddress);

export const addressOf = (view) => cutAddress(view.get_uri() ?? 'about:blank');

/**
 * An expression for a property of the document, in our script world. Elements of a page hide properties of `document` by their names:
 * with a form called `title`, that is the form.
 */
export const ofDocument = (name) => `Reflect.get(Document.prototype, '${name}', document)`;

/** Read from the page, which has a new title before WebKit reports it. */
export const titleScript = `return ${ofDocument('title')}.slice(0, ${longestTitle})`;

/**
 * A script that runs at the start of documents: in the page's own world if `inWorld` is null, and on the given
 * addresses.
 */
export function atStart(source, inWorld, frames, addresses = null) {
  const { START } = WebKit2.UserScriptInjectionTime;
  return inWorld === null
    ? WebKit2.UserScript.new(source, frames, START, addresses, null)
    : WebKit2.UserScript.new_for_world(source, frames, START, inWorld, addresses, null);
}

/** Keys come from the keyboard. Other text is committed as by an input method. */
const InputMethod = GObject.registerClass(
  class InputMethod extends WebKit2.InputMethodContext {
    vfunc_filter_key_event() {
      return false;
    }
  },
);

/** A WebView that never prompts a person. One that a page opened shares its opener's process and settings. */
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
  // Without watchers the window is not drawn; captures are painted by the web process. Drawing a page that is loading,
  // or has just come to the front, would block this process for up to half a second.
  view.connect('draw', (_view, context) => {
    // Until garbage collection, a context keeps its surface: one picture of the window in the X server for each frame.
    context.$dispose();
    return !picture.draws();
  });
  return { view, inputMethod };
}

/**
 * All requests go through the proxy. Site data that a profile keeps is in `state`, in a directory for each kind;
 * everything else is in `scratch` and is removed with the browser.
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
  // No host is exempt: loopback goes through the proxy too, so that access is decided in one place.
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
 * A phone's scrollbars take no touches and cannot be styled. WebKitGTK's lie over the content and take touches on 20
 * pixels, visible or not.
 */
export const withoutScrollbars = () => userStyle('*::-webkit-scrollbar { display: none !important }');

/** Whether the document, or a frame in it, may show a caret. */
export const hasCaretScript = `
  const active = ${ofDocument('activeElement')};
  return active !== null && (active.isContentEditable || active.shadowRoot !== null || active.matches('input, textarea, iframe, frame'));`;

/**
 * Paints while the caret is hidden: a phone does not paint it into its pages. The web process handles these messages in
 * order, without a script of the page in between. Transitions are off because they would apply to `caret-color`.
 */
export function withoutCaret({ view, content }, paint) {
  const still = userStyle(':focus, :focus * { transition: none !important }');
  const hidden = userStyle(':focus, :focus * { caret-color: transparent !important }');
  content.add_style_sheet(still);
  content.add_style_sheet(hidden);
  const painted = paint();
  content.remove_style_sheet(hidden);
  const focused = `${ofDocument('activeElement')} ?? ${ofDocument('documentElement')}`;
  const styled = `getComputedStyle(${focused}).caretColor`;
  view.call_async_javascript_function(styled, -1, null, world, null, null).catch(() => undefined);
  content.remove_style_sheet(still);
  return painted;
}

/** Styles that pages cannot override. */
const userStyle = (css) =>
  new WebKit2.UserStyleSheet(
    css,
    WebKit2.UserContentInjectedFrames.ALL_FRAMES,
    WebKit2.UserStyleLevel.USER,
    null,
    null,
  );

/** Refuses what would prompt a person: choosers of files, colors and options, and printing. */
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
