import Soup from 'gi://Soup?version=3.0';

/** Maximal bytes of a profile's cookies as JSON: those that its archive may have (`infra/profile-states/limits.ts`). */
const mostBytes = 8 * 1024 * 1024;
/** Maximal number of them: the next browser takes a millisecond for each, before its first page. */
const mostCookies = 10_000;

/** The site of a cookie's domain, such as `example.co.uk`: all that one owner can set cookies for. An address is a site of its own. */
function siteOf(domain) {
  try {
    return Soup.tld_get_base_domain(domain.replace(/^\./, ''));
  } catch {
    return domain;
  }
}

/**
 * The cookies that a profile keeps, as `{count, json}`: all, or as many as fit. Then the sites with the most lose their largest ones first,
 * so that no site pushes out the cookies of others.
 */
export function keptCookies(cookies) {
  const encoder = new TextEncoder();
  const written = cookies.map((cookie) => {
    const json = JSON.stringify(cookie);
    return { json, bytes: encoder.encode(json).length + 1, site: siteOf(cookie.domain) };
  });
  const fits = fitting(written);
  const kept = written.filter((each) => fits.has(each));
  return { count: kept.length, json: `[${kept.map(({ json }) => json).join()}]` };
}

/** Those that fit. */
function fitting(written) {
  /** Bytes of each site up to a cookie, in the order of their sizes. */
  const sums = new Map();
  const reached = new Map();
  for (const each of [...written].sort((one, other) => one.bytes - other.bytes)) {
    const sum = (sums.get(each.site) ?? 0) + each.bytes;
    sums.set(each.site, sum);
    reached.set(each, sum);
  }
  const fits = new Set();
  let left = mostBytes - 1;
  for (const [each] of [...reached].sort(([, one], [, other]) => one - other)) {
    left -= each.bytes;
    if (left < 0 || fits.size === mostCookies) break;
    fits.add(each);
  }
  return fits;
}
