import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deserialize } from 'node:v8';

/**
 * Numbers of a place: line and column in the bundle; index of the source (-1: a package); line and column in the
 * source; index of the original name, if the bundle changed it (-1: it did not). Lines and columns start at 1.
 */
const WIDTH = 6;

/**
 * Makes stack traces show places in the sources, instead of places in the bundle at `path`. Node's own support decodes
 * a whole source map at the first trace. Every process has one: packages read the `stack` of errors that close
 * connections.
 */
export function traceSources(path, root) {
  let kept;
  const lookUp = (line, column) => {
    kept ??= deserialize(readFileSync(`${path}.places`));
    const at = lastUpTo(kept.places, line, column) * WIDTH;
    const [source, itsLine, itsColumn, name] = kept.places.subarray(at + 2, at + WIDTH);
    const file = kept.sources[source];
    return { place: file && `${resolve(root, file)}:${itsLine}:${itsColumn}`, name: kept.names[name] };
  };
  const foundFor = (site) =>
    site?.getFileName() === path ? lookUp(site.getLineNumber(), site.getColumnNumber()) : {};
  const inSource = (site, caller) => {
    const { place } = foundFor(site);
    if (place === undefined) return String(site);
    const named = site.getFunctionName() ?? '<anonymous>';
    // The function's name where it was called: the bundle changes names that occur in several modules.
    const { name = named } = foundFor(caller);
    const text = String(site).replace(named, () => name);
    const here = `${path}:${site.getLineNumber()}:${site.getColumnNumber()}`;
    return text === here ? `${name} (${place})` : text.replace(here, () => place);
  };
  Error.prepareStackTrace = (error, sites) =>
    [headingOf(error), ...sites.map((site, index) => orElse(inSource, site, sites[index + 1]))].join(
      '\n    at ',
    );
}

/** The first line of a trace, in Node's format for its own errors. */
const headingOf = (error) =>
  String(error?.code).startsWith('ERR_')
    ? `${error.name} [${error.code}]: ${error.message}`
    : Error.prototype.toString.call(error);

/** If the table cannot be read, as when the bundle was removed, the trace shows the place in the bundle. */
function orElse(inSource, site, caller) {
  try {
    return inSource(site, caller);
  } catch {
    return String(site);
  }
}

/** Index of the last place up to this one. */
function lastUpTo(places, line, column) {
  let [low, high] = [0, places.length / WIDTH];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const [itsLine, itsColumn] = [places[middle * WIDTH], places[middle * WIDTH + 1]];
    if (itsLine < line || (itsLine === line && itsColumn <= column)) low = middle;
    else high = middle;
  }
  return low;
}
