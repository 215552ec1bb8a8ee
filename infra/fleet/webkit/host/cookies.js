import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import Soup from 'gi://Soup?version=3.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { CommandFailed } from './channel.js';

for (const name of ['get_all_cookies', 'add_cookie', 'delete_cookie'])
  Gio._promisify(WebKit2.CookieManager.prototype, name);

/** Values of `sameSite`, indexed by libsoup's enumeration. */
const sameSite = ['None', 'Lax', 'Strict'];

/** Cookies that have not expired. WebKit's own list has expired ones too. */
export const allCookies = async (manager) =>
  (await manager.get_all_cookies(null)).filter((cookie) => !isOver(cookie)).map(describe);

/** Puts cookies into an empty jar, all at once. Expired ones are dropped. */
export const addCookies = (manager, given) =>
  Promise.all(given.map((cookie) => manager.add_cookie(create(cookie), null)));

/** Sets all cookies. If one is refused, the jar gets back its previous cookies of the same names. */
export async function setCookies(manager, given, onCancel) {
  let cancelled = false;
  onCancel(() => {
    cancelled = true;
  });
  const before = await manager.get_all_cookies(null);
  // Of cookies with the same name, domain and path the last one counts.
  const wanted = new Map(given.map((cookie) => [keyOf(cookie), create(cookie)]));
  try {
    for (const cookie of wanted.values()) {
      if (cancelled) throw new CommandFailed('cancelled', 'Nobody waits for it any longer.');
      await manager.add_cookie(cookie, null);
    }
    const kept = new Map((await allCookies(manager)).map((cookie) => [keyOf(cookie), cookie.value]));
    for (const [key, cookie] of wanted)
      if (kept.get(key) !== (isOver(cookie) ? undefined : cookie.get_value())) throw refused();
  } catch (error) {
    await restore(manager, before, wanted);
    throw error;
  }
}

const refused = () => new CommandFailed('cookies_refused', 'The jar does not take one of the cookies.');

async function restore(manager, before, wanted) {
  const added = (await manager.get_all_cookies(null)).filter((cookie) => wanted.has(keyOf(describe(cookie))));
  for (const cookie of added) await manager.delete_cookie(cookie, null);
  for (const cookie of before.filter((each) => wanted.has(keyOf(describe(each)))))
    await manager.add_cookie(cookie, null);
}

const keyOf = ({ domain, path = '/', name }) => JSON.stringify([domain, path, name]);

/** Whether the cookie has expired. Setting an expired one removes its predecessor. */
const isOver = (cookie) => {
  const expires = cookie.get_expires();
  return expires !== null && expires.to_unix() * 1000 <= Date.now();
};

function create({ domain, name, value, path = '/', expires = null, ...flags }) {
  const cookie = Soup.Cookie.new(name, value, domain, path, -1);
  if (expires !== null) cookie.set_expires(GLib.DateTime.new_from_unix_utc(Math.floor(expires / 1000)));
  cookie.set_http_only(flags.httpOnly ?? false);
  cookie.set_secure(flags.secure ?? false);
  if (flags.sameSite !== undefined) cookie.set_same_site_policy(sameSite.indexOf(flags.sameSite));
  return cookie;
}

function describe(cookie) {
  const expires = cookie.get_expires();
  return {
    domain: cookie.get_domain(),
    name: cookie.get_name(),
    value: cookie.get_value(),
    path: cookie.get_path(),
    expires: expires === null ? null : expires.to_unix() * 1000,
    httpOnly: cookie.get_http_only(),
    secure: cookie.get_secure(),
    sameSite: sameSite[cookie.get_same_site_policy()],
  };
}
