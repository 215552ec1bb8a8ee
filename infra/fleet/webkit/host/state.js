import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { allCookies, addCookies } from './cookies.js';
import { keptCookies } from './kept-cookies.js';

Gio._promisify(WebKit2.WebsiteDataManager.prototype, 'fetch');

const { LOCAL_STORAGE, INDEXEDDB_DATABASES, SERVICE_WORKER_REGISTRATIONS, DOM_CACHE } =
  WebKit2.WebsiteDataTypes;
const kept = LOCAL_STORAGE | INDEXEDDB_DATABASES | SERVICE_WORKER_REGISTRATIONS | DOM_CACHE;
/** Milliseconds between two checks whether files are closed, and the number of checks. */
const looks = { everyMs: 10, most: 300 };

const filesOf = (directory) => ({
  cookies: `${directory}/cookies.json`,
  sessions: `${directory}/session-storage.json`,
  localStorage: `${directory}/data/local_storage`,
});

/** Restores what `leaveState` has written, before the first page. WebKit finds the rest in the directory. */
export async function restoreState({ context, sessions }, directory) {
  const files = filesOf(directory);
  sessions.putBack(read(files.sessions));
  // A state of an earlier release, or of a file, may have more than can be added in time.
  await addCookies(cookieManager(context), JSON.parse(keptCookies(read(files.cookies)).json));
}

/**
 * Closes all pages and writes everything that a profile keeps to files. Returns the number of kept cookies, the number of sites with other data,
 * and which of the queried sites a tab has shown.
 */
export async function leaveState({ context, tabs, sessions, shown, endPages }, directory, asked) {
  const files = filesOf(directory);
  const stored = await sessions.collect(tabs.views());
  endPages();
  await closed(files.localStorage);
  // Counted when no page can change it any more, so that it matches the files.
  const cookies = keptCookies(await allCookies(cookieManager(context)));
  const sites = await context.get_website_data_manager().fetch(kept, null);
  write(files.cookies, cookies.json);
  write(files.sessions, stored);
  return { cookies: cookies.count, sites: sites.length, shown: asked.filter((site) => shown.has(site)) };
}

const cookieManager = (context) => context.get_website_data_manager().get_cookie_manager();
const read = (path) => JSON.parse(new TextDecoder().decode(GLib.file_get_contents(path)[1]));
const write = (path, text) => GLib.file_set_contents(path, text);

/**
 * WebKit writes local storage late, in transactions of half a second, to a database that it closes after the last page;
 * its write-ahead log is gone then. Everything else is written before the page's call returns.
 */
async function closed(directory) {
  for (let look = 0; look < looks.most && hasLog(directory); look += 1) await pause(looks.everyMs);
}

function hasLog(path) {
  try {
    const entries = Gio.File.new_for_path(path).enumerate_children(
      'standard::name',
      Gio.FileQueryInfoFlags.NOFOLLOW_SYMLINKS,
      null,
    );
    for (const entry of entries) if (entry.get_name().endsWith('-wal')) return true;
    return false;
  } catch (error) {
    if (error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.NOT_FOUND)) return false;
    throw error;
  }
}

const pause = (ms) =>
  new Promise((resolve) => {
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, ms, () => {
      resolve();
      return GLib.SOURCE_REMOVE;
    });
  });
