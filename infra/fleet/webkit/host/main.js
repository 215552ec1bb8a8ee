/**
 * The browser process of one session, run by `gjs -m`, in namespaces of its own if possible. It starts its display,
 * shows pages at the size of a phone, and runs the node's commands from a private socket: loads, touches and keys,
 * cookies, captures, and our own constant scripts. These scripts run in a script world that pages cannot see.
 */
import { config, display } from './early.js';
import Gtk from 'gi://Gtk?version=3.0';
import { createBrowser } from './browser.js';
import { createChannel } from './channel.js';
import { collectAtOnce } from './collector.js';
import { createCommands } from './commands.js';
import { openKeyboard, openTouchscreen } from './input.js';
import { relay, port, socket } from './relay.js';

collectAtOnce();
display.ready();
Gtk.init(null);
const browser = createBrowser(config);
const { touched } = browser.tabs;
const touchscreen = openTouchscreen(config.touchscreen, touched);
const keyboard = openKeyboard(config.keyboard, touched);
// Referenced, like everything here: garbage collection would close it.
const proxy = relay(port(config.proxy.port), socket(config.proxy.socket));
const tell = (event) => channel.send(event);
const channel = createChannel(
  config.socket,
  createCommands(browser, { touchscreen, keyboard }, config, tell),
);
browser.onTermination(() => channel.send({ event: 'terminated' }));
Gtk.main();
void proxy;
