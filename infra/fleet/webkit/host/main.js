/**
 * The browser process of one session, run by `gjs -m`, in namespaces of its own where there are any. It starts its display and
 * the WebDriver that touches its page, shows that one page the size of a phone, and does over a private socket what WebDriver
 * cannot: whole cookie jar, PDF, load results, page state, and our own constant scripts in a world no page can see into.
 */
import { config, display } from './early.js';
import Gtk from 'gi://Gtk?version=3.0';
import { createChannel } from './channel.js';
import { createCommands } from './commands.js';
import { relay, port, socket } from './relay.js';
import { createView } from './view.js';

display.ready();
Gtk.init(null);
const browser = createView(config);
const { proxy, webDriver } = config;
// Held, as all of these are: collected as garbage they would close.
const relays = [
  relay(port(proxy.port), socket(proxy.socket)),
  relay(socket(webDriver.socket), port(webDriver.port)),
];
const channel = createChannel(config.socket, createCommands(browser, config));
browser.view.connect('web-process-terminated', () => channel.send({ event: 'terminated' }));
Gtk.main();
void relays;
