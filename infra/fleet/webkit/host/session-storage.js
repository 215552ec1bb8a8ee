import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { atStart, world } from './view.js';

/**
 * Maximal characters of JSON and items for all origins together; WebKit allows an origin 5 MiB. The least recently written ones are dropped
 * first.
 */
const mostKept = 8 * 1024 * 1024;
const mostItems = 100_000;
/** Within a text this is escaped. */
const itemsIn = (json) => json.split('":"').length - 1;
/** Time limit in milliseconds for a page to report its session storage. */
const answerMs = 1_000;

/** Session storage of the page's origin as `[origin, json]`; null for an opaque origin. */
const readStored = `
  (() => {
    try {
      const stored = Object.create(null);
      for (let index = 0; index < sessionStorage.length; index += 1) {
        const key = sessionStorage.key(index);
        stored[key] = sessionStorage.getItem(key);
      }
      return [location.origin, JSON.stringify(stored)];
    } catch {
      return null;
    }
  })()`;

/** Reports a page's session storage to the host when another page replaces it. */
const tellScript = `
  addEventListener('pagehide', () => {
    const stored = ${readStored};
    if (stored) webkit.messageHandlers.stored.postMessage(JSON.stringify(stored));
  });`;

/**
 * Runs before the first script of a page of that origin. An item beyond WebKit's limit is left out, and the others are restored. A page
 * that may not store anything, as in a sandbox, throws at once: the data is kept for the next one.
 */
const putBackScript = (origin, json) => `
  if (location.origin === ${JSON.stringify(origin)}) {
    const storage = sessionStorage;
    for (const [key, value] of Object.entries(JSON.parse(${JSON.stringify(json)})))
      try {
        storage.setItem(key, value);
      } catch {}
    webkit.messageHandlers.stored.postMessage(JSON.stringify([location.origin]));
  }`;

/**
 * Reads the page's session storage at the end. It also waits for an IndexedDB request: messages arrive in order, so its
 * answer means that everything the page wrote before has arrived.
 */
const askForStored = `
  const stored = ${readStored};
  await indexedDB.databases().catch(() => undefined);
  return JSON.stringify(stored);`;

/**
 * Session storage of the tabs by origin, which WebKit keeps in memory only. Where tabs differ, that of the tab in front
 * counts.
 */
export function keepSessions(content) {
  /** `{json, items}` by origin, in the order of writing. Counted once: pages may report their data at any rate. */
  const kept = new Map();
  /** By origin: the script that restores its data before its first page. */
  const scripts = new Map();

  const keep = ([origin, json]) => {
    kept.delete(origin);
    // One that is too large alone must not push out all others.
    const written = { json, items: itemsIn(json) };
    if (json !== '{}' && json.length <= mostKept && written.items <= mostItems) kept.set(origin, written);
    let [size, items] = [0, 0];
    for (const each of kept.values()) {
      size += each.json.length;
      items += each.items;
    }
    for (const [oldest, each] of kept) {
      if (size <= mostKept && items <= mostItems) break;
      size -= each.json.length;
      items -= each.items;
      kept.delete(oldest);
    }
  };
  /** Restored once only: what a page removes stays removed. */
  const wasPutBack = (origin) => {
    const script = scripts.get(origin);
    if (script) content.remove_script(script);
    scripts.delete(origin);
  };
  content.register_script_message_handler_in_world('stored', world);
  content.connect('script-message-received::stored', (_content, result) => {
    const [origin, json] = JSON.parse(result.get_js_value().to_string());
    if (json === undefined) wasPutBack(origin);
    else keep([origin, json]);
  });

  return {
    tellScript: atStart(tellScript, world, WebKit2.UserContentInjectedFrames.TOP_FRAME),
    /** Keys and values by origin. */
    putBack: (stored) => {
      for (const [origin, entries] of Object.entries(stored)) {
        const json = JSON.stringify(entries);
        keep([origin, json]);
        const script = atStart(
          putBackScript(origin, json),
          world,
          WebKit2.UserContentInjectedFrames.TOP_FRAME,
          [`${origin.replace(/:[0-9]+$/, '')}/*`],
        );
        scripts.set(origin, script);
        content.add_script(script);
      }
    },
    /** JSON by origin. For a page that does not answer, its last report is used. */
    collect: async (views) => {
      for (const stored of await Promise.all(views.map(ask))) if (stored) keep(stored);
      return `{${[...kept].map(([origin, { json }]) => `${JSON.stringify(origin)}:${json}`).join()}}`;
    },
  };
}

async function ask(view) {
  const late = new Promise((resolve) => {
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, answerMs, () => {
      resolve(null);
      return GLib.SOURCE_REMOVE;
    });
  });
  const answer = view
    .call_async_javascript_function(askForStored, -1, null, world, null, null)
    .then((value) => JSON.parse(value.to_string()))
    .catch(() => null);
  return Promise.race([answer, late]);
}
