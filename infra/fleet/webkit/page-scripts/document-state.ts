import { isVisible, textOf } from './dom.ts';
import { Failure, answerable } from './failure.ts';
import { sourceOf } from './secrets.ts';
import { allBySelector } from './targets.ts';

/** Titles are cut to this many characters, as a page can set one of any length. */
const longestTitle = 4_096;
/** Maximal items of a page's storage in a result: each costs far more than its few bytes. */
const mostItems = 100_000;

export function state() {
  const title = document.title.slice(0, longestTitle);
  const storage = storageOf();
  if (storage !== null && storage.length > mostItems)
    throw new Failure('page', 'result_too_large', `The page has stored more than ${mostItems} items.`);
  return { title, local_storage: storage === null ? {} : itemsOf(storage) };
}

/** Items by key. Keys that are names of a storage's members, or of any object's, are found too. */
function itemsOf(storage: Storage): Readonly<Record<string, string>> {
  const items = Object.create(null) as Record<string, string>;
  for (let index = 0; index < storage.length; index += 1) {
    const key = storage.key(index) ?? '';
    items[key] = storage.getItem(key) ?? '';
  }
  return items;
}

/** Null for a page with an opaque origin. */
function storageOf(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Addresses are cut to this many characters: a page can give them any length, and checks are recognized by their beginning. */
const longestAddress = 4_096;
const addressOf = (text: string): string => text.slice(0, longestAddress);

/** Addresses of frames that can be scrolled into view, at least in part. */
export function inSight() {
  const isThere = (frame: HTMLIFrameElement) => {
    const { right, bottom } = frame.getBoundingClientRect();
    return isVisible(frame) && right + scrollX > 0 && bottom + scrollY > 0;
  };
  const frames = [...document.querySelectorAll('iframe')].filter(isThere);
  return { url: addressOf(location.href), frames: frames.map(({ src }) => addressOf(src)) };
}

export function html() {
  const doctype = document.doctype;
  // Checked before conversion to JSON, which may make six characters of one.
  const source = answerable(sourceOf(document.documentElement));
  return { html: (doctype ? `${declarationOf(doctype)}\n` : '') + source };
}

/** The doctype in HTML syntax: public before system identifier, each in quotes that it does not contain. */
function declarationOf({ name, publicId, systemId }: DocumentType): string {
  const quoted = (text: string) => (text.includes('"') ? `'${text}'` : `"${text}"`);
  const external = [
    ...(publicId ? ['PUBLIC', quoted(publicId)] : systemId ? ['SYSTEM'] : []),
    ...(systemId ? [quoted(systemId)] : []),
  ];
  return `<!DOCTYPE ${[name, ...external].join(' ')}>`;
}

export interface ResultsQuery {
  readonly result: string;
  readonly title: string;
  readonly link: string;
  readonly snippet?: string;
  readonly limit: number;
}

/** The results on a search engine's page. */
export function results({ result, title, link, snippet, limit }: ResultsQuery) {
  const found = allBySelector(result).flatMap((element) => {
    const anchor = allBySelector(link, element)[0] ?? (element.matches(link) ? element : undefined);
    const heading = allBySelector(title, element)[0] ?? anchor;
    if (!(anchor instanceof HTMLAnchorElement) || !anchor.href || !heading) return [];
    const text = snippet === undefined ? undefined : allBySelector(snippet, element)[0];
    return [{ title: textOf(heading), url: anchor.href, snippet: text ? textOf(text) : null }];
  });
  return { results: found.slice(0, limit).map((entry, index) => ({ position: index + 1, ...entry })) };
}
