/** Work that starts while WebKit's libraries are still loading: this module is the first that `main.js` imports. */
import GLib from 'gi://GLib?version=2.0';
import { startDisplay } from './display.js';

export const config = JSON.parse(GLib.getenv('SERVICE_HOST'));
export const display = startDisplay(config.display);
