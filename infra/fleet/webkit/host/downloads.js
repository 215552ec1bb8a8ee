import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { CommandFailed } from './channel.js';
import { cutAddress } from './view.js';

const mebibyte = 1024 * 1024;
/** Maximal bytes of one download, and of all of a session. */
const largest = 64 * mebibyte;
const largestTotal = 256 * mebibyte;
const most = 100;
/** Maximal bytes of a file name, with the number that makes it unique. */
const longestName = 200;
/** Characters of a suggested name that are read, from its end, which has the file's extension. */
const longestSuggested = 1_000;

/**
 * Saves downloads into one directory of the session, each under a unique name without a path. An entry is `{name, size,
 * mime, state}`; `state` is `in_progress`, `finished`, `failed`, or `refused` if it exceeds a limit. Failed and refused
 * downloads leave no file.
 */
export function createDownloads({ context, directory, started }) {
  const all = [];
  const begun = [];
  /**
   * The views of responses that become downloads, one entry for each, until WebKit reports the download or `take` is called: of a tab that
   * was closed meanwhile it may report none.
   */
  const announced = [];
  /** Downloads that began since the last `take` and have not ended. */
  const fresh = new Set();
  const receiving = new Map();
  let listeners = [];
  const total = () => all.reduce((sum, { size }) => sum + size, 0);
  const settle = () => {
    if (announced.length > 0 || fresh.size > 0) return;
    for (const listener of listeners.splice(0)) listener();
  };

  const begin = (download, entry, suggested) => {
    const response = download.get_response();
    entry.name = unique(safe(suggested), isTaken);
    entry.mime = response?.get_mime_type() || entry.mime;
    if (begun.length < most) begun.push(entry);
    GLib.mkdir_with_parents(directory, 0o700);
    download.set_destination(`${directory}/${entry.name}`);
    const length = response?.get_content_length() ?? 0;
    if (all.length < most && length <= largest && total() + length <= largestTotal) return all.push(entry);
    return refuse(entry, download);
  };
  const isTaken = (name) => [...all, ...receiving.values()].some((other) => other.name === name);
  const refuse = (entry, download) => {
    entry.state = 'refused';
    // Only once, because WebKit crashes on a second call, and not within its own signal, which would suppress the signal of its end.
    GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
      if (receiving.has(download)) download.cancel();
      return GLib.SOURCE_REMOVE;
    });
  };
  /** It leaves no file, so it takes neither a place nor a name. */
  const drop = (entry) => {
    entry.size = 0;
    if (all.includes(entry)) all.splice(all.indexOf(entry), 1);
    GLib.unlink(`${directory}/${entry.name}`);
  };
  context.connect('download-started', (_context, download) => {
    const entry = { name: '', size: 0, mime: 'application/octet-stream', state: 'in_progress' };
    const announcement = announced.indexOf(download.get_web_view());
    if (announcement >= 0) announced.splice(announcement, 1);
    fresh.add(entry);
    receiving.set(download, entry);
    started(download);
    download.connect('decide-destination', (_download, suggested) => {
      begin(download, entry, suggested);
      return true;
    });
    download.connect('received-data', (_download, length) => {
      if (entry.state !== 'in_progress') return;
      entry.size += length;
      if (entry.size > largest || total() > largestTotal) refuse(entry, download);
    });
    download.connect('failed', () => {
      if (entry.state === 'in_progress') entry.state = 'failed';
    });
    // Also signalled after `failed`.
    download.connect('finished', () => {
      if (entry.state === 'in_progress') entry.state = isWhole(download, entry) ? 'finished' : 'failed';
      if (entry.state !== 'finished') drop(entry);
      fresh.delete(entry);
      receiving.delete(download);
      settle();
    });
  });
  const shown = ({ name, size, mime, state }) => ({ name, size, mime, state });
  /** Resolves when the downloads that began since `take` have ended, or after that many milliseconds. */
  const ended = (limitMs, onCancel) =>
    new Promise((resolve, reject) => {
      const timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, limitMs, () => {
        leave();
        resolve();
        return GLib.SOURCE_REMOVE;
      });
      const leave = () => {
        listeners = listeners.filter((other) => other !== listener);
      };
      const listener = () => {
        GLib.source_remove(timer);
        resolve();
      };
      listeners.push(listener);
      onCancel(() => {
        leave();
        GLib.source_remove(timer);
        reject(new CommandFailed('cancelled', 'Nobody waits for the download any longer.'));
      });
      settle();
    });
  return {
    follow: (tab) =>
      tab.view.connect('decide-policy', (_view, decision, type) => {
        if (type !== WebKit2.PolicyDecisionType.RESPONSE || !isFile(decision)) return false;
        const response = decision.get_response();
        announced.push(tab.view);
        if (decision.is_main_frame_main_resource())
          tab.file = { url: cutAddress(response.get_uri()), status: response.get_status_code() || null };
        decision.download();
        return true;
      }),
    ended,
    /** Downloads that began since the last call. */
    take: () => {
      fresh.clear();
      announced.length = 0;
      return begun.splice(0).map(shown);
    },
    list: () => all.filter(({ state }) => state === 'in_progress' || state === 'finished').map(shown),
  };
}

/** WebKit reports a response that breaks off as finished. */
function isWhole(download, { size }) {
  const response = download.get_response();
  const isEncoded = Boolean(response?.get_http_headers()?.get_one('Content-Encoding'));
  return isEncoded || size >= (response?.get_content_length() ?? 0);
}

/** Whether the response is a main resource, not a frame's, that must be saved as a file. */
function isFile(decision) {
  const disposition = decision.get_response().get_http_headers()?.get_one('Content-Disposition');
  return /^\s*attachment\b/i.test(disposition ?? '') || !decision.is_mime_type_supported();
}

/** Characters with a meaning to file systems, shells or readers. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g;

/** The last part of a path, made safe. */
function safe(suggested) {
  // A page can suggest a name of any length.
  const base = suggested.slice(-longestSuggested).split(/[/\\]/).at(-1).replace(unsafe, '_');
  const name = base.replace(/^[. ]+|[. ]+$/g, '');
  return name === '' ? 'download' : name;
}

/** The name before its last point, and the extension. */
function parts(name) {
  const [, stem, extension] = /^(.+?)(\.[^.]{1,20})?$/su.exec(name);
  return [stem, extension ?? ''];
}

/** The name with `mark` before its extension, shortened before the mark. */
function marked(name, mark) {
  const [stem, extension] = parts(name);
  const end = mark + extension;
  const bytes = (text) => new TextEncoder().encode(text).length;
  const characters = Array.from(stem);
  while (bytes(characters.join('') + end) > longestName) characters.pop();
  return (characters.join('') + end).replace(/[. ]+$/, '');
}

function unique(name, taken) {
  let candidate = marked(name, '');
  for (let number = 2; taken(candidate); number += 1) candidate = marked(name, ` (${number})`);
  return candidate;
}
