/**
 * The smallest browser that WebKitWebDriver can drive: one view at the size of a phone, and none of the service's code.
 */
import Gtk from 'gi://Gtk?version=3.0';
import WebKit2 from 'gi://WebKit2?version=4.1';

Gtk.init(null);
const context = new WebKit2.WebContext();
context.set_automation_allowed(true);
const view = new WebKit2.WebView({ web_context: context, is_controlled_by_automation: true });
const window = new Gtk.Window({ decorated: false, default_width: 393, default_height: 659 });
window.add(view);
window.show_all();
context.connect('automation-started', (_context, session) => {
  const info = new WebKit2.ApplicationInfo();
  info.set_name('bare');
  info.set_version(1, 0, 0);
  session.set_application_info(info);
  session.connect('create-web-view', () => view);
});
Gtk.main();
