/**
 * The browser process of one session, run by `gjs -m` and started by WebKitWebDriver. It shows one page the size of a phone,
 * lets WebDriver touch it, and does over a private socket what WebDriver cannot: whole cookie jar, PDF, load results, page
 * state, and our own constant scripts in a world no page can see into.
 */
import GLib from 'gi://GLib?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import { createChannel } from './channel.js';
import { createCommands } from './commands.js';
import { createView } from './view.js';

Gtk.init(null);
const config = JSON.parse(GLib.getenv('SERVICE_HOST'));
const browser = createView(config);
const channel = createChannel(config.socket, createCommands(browser, config));
browser.view.connect('web-process-terminated', () => channel.send({ event: 'terminated' }));
Gtk.main();
