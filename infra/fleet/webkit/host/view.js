import GLib from 'gi://GLib?version=2.0';
import GObject from 'gi://GObject?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import WebKit2 from 'gi://WebKit2?version=4.1';

/** The script world our own scripts run in. Pages share the document with it and nothing else. */
export const world = 'service';

/** Keys are the keyboard's own; what no key has is committed as an input method does. */
const InputMethod = GObject.registerClass(
  class InputMethod extends WebKit2.InputMethodContext {
    vfunc_filter_key_event() {
      return false;
    }
  },
);

/** One WebView in a bare window, with a profile directory, every request through the proxy, and no way to ask a person. */
export function createView({ profile, proxy, sandbox }) {
  const context = createContext(profile, proxy, sandbox);
  const content = new WebKit2.UserContentManager();
  const view = new WebKit2.WebView({
    web_context: context,
    user_content_manager: content,
    settings: createSettings(),
  });
  const inputMethod = new InputMethod();
  view.set_input_method_context(inputMethod);
  const window = new Gtk.Window({ decorated: false });
  window.add(view);
  window.show_all();
  // There is no window manager to give it the focus of its display: without it the page would count as left by its person.
  window.present();
  answerForThePerson(view);
  return { context, content, view, window, inputMethod };
}

function createContext(profile, proxy, sandbox) {
  const data = new WebKit2.WebsiteDataManager({
    base_data_directory: `${profile}/data`,
    base_cache_directory: `${profile}/cache`,
  });
  // No host is exempt: loopback goes through the proxy too, so what may be reached is decided in one place.
  data.set_network_proxy_settings(
    WebKit2.NetworkProxyMode.CUSTOM,
    WebKit2.NetworkProxySettings.new(`http://127.0.0.1:${proxy.port}`, []),
  );
  data
    .get_cookie_manager()
    .set_persistent_storage(`${profile}/cookies.sqlite`, WebKit2.CookiePersistentStorage.SQLITE);
  data.get_cookie_manager().set_accept_policy(WebKit2.CookieAcceptPolicy.NO_THIRD_PARTY);
  const context = new WebKit2.WebContext({ website_data_manager: data });
  if (sandbox) context.set_sandbox_enabled(true);
  context.set_preferred_languages(['en-US']);
  context.set_cache_model(WebKit2.CacheModel.DOCUMENT_VIEWER);
  context.connect('download-started', (_context, download) => download.cancel());
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

/** There is nobody to ask: dialogs are closed, permissions denied, and a new window opens in this one. */
function answerForThePerson(view) {
  const refuse = (_view, request) => {
    request.deny();
    return true;
  };
  view.connect('script-dialog', (_view, dialog) => {
    const type = dialog.get_dialog_type();
    const asks = type !== WebKit2.ScriptDialogType.ALERT && type !== WebKit2.ScriptDialogType.PROMPT;
    if (asks) dialog.confirm_set_confirmed(true);
    // Without this it stays open, and the page blocked, until the garbage collector lets go of it.
    GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
      dialog.close();
      return GLib.SOURCE_REMOVE;
    });
    return true;
  });
  view.connect('permission-request', refuse);
  view.connect('run-file-chooser', (_view, request) => {
    request.cancel();
    return true;
  });
  view.connect('authenticate', (_view, request) => {
    request.cancel();
    return true;
  });
  view.connect('print', () => true);
  view.connect('context-menu', () => true);
  view.connect('create', (_view, action) => {
    const request = action.get_request();
    GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
      view.load_request(request);
      return GLib.SOURCE_REMOVE;
    });
    return null;
  });
}
