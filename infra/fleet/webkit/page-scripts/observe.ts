import { beginAriaCaches, endAriaCaches } from 'ivya/utils';
import { outOf } from './frames.ts';
import { rectOf, type Point } from './geometry.ts';
import { cut, leadsTo, observed, shownAt, type Observed } from './observed.ts';
import { readPage, type Reading } from './reading.ts';
import { adoptRefs, beginRefs, lastHeardOf, lastRef } from './refs.ts';
import type { AskFrame } from './tap.ts';

const most = {
  elements: 300,
  headings: 50,
  heading: 300,
  block: 2_000,
  title: 300,
  url: 4_000,
  dialog: 1_000,
  links: 600,
  voices: 60,
  said: 50_000,
};

/** Content of a document, with that of its frames. */
interface Part {
  readonly elements: readonly Observed[];
  readonly headings: readonly string[];
  readonly text: string;
  readonly dialog: string | null;
  readonly cut: boolean;
  /** Addresses of links and forms. */
  readonly links: readonly string[];
  /** Text by document, this document's first. */
  readonly voices: readonly Voice[];
  /** The last number that was used for a ref. */
  readonly last: number;
}

/** A document's address and its text without its frames. */
interface Voice {
  readonly url: string;
  readonly said: string;
}

export interface ObserveInput {
  /** The last number used for a ref by any earlier document, of this page or another one. */
  readonly after: number;
  /** The last number used for a ref by this document, as its parent document knows it. */
  readonly heard: number;
  /** Maximal characters of text, of the page and of each frame. */
  readonly longestText: number;
}

/** Describes the page for a caller that cannot see it. The outermost document collects the results of its frames. */
export async function observe(input: Omit<ObserveInput, 'heard'>, ask: AskFrame) {
  // The last observation was of this document, unless another page was observed since, or its answer was lost.
  const { elements, voices, ...part } = await observeWithin({ ...input, heard: input.after }, ask);
  const isOthers = voices.some(({ url }) => hostOf(url) !== location.hostname);
  return {
    ...part,
    ...(isOthers && { voices }),
    url: cut(location.href, most.url),
    title: cut(document.title, most.title),
    scroll: { y: scrollY, height: document.documentElement.scrollHeight, view: innerHeight },
    elements: elements.map(({ at, ...element }) => ({ ...element, in_view: at !== null })),
  };
}

export async function observeWithin(
  { after, heard, longestText }: ObserveInput,
  ask: AskFrame,
): Promise<Part> {
  beginRefs(after, heard);
  const reading = readPage();
  const own = describe(reading);
  const parts = new Map<Element, Part>();
  for (const frame of reading.frames) {
    const input: ObserveInput = { after: lastRef(), heard: lastHeardOf(frame), longestText };
    const part = (await ask(frame, 'observeWithin', input).catch(() => undefined)) as Part | undefined;
    if (!part) continue;
    adoptRefs(
      frame,
      part.elements.map(({ ref }) => ref),
      part.last,
    );
    parts.set(frame, part);
  }
  return joined(reading, own, parts, textOf(reading, parts, longestText));
}

/** Reported controls of this document, by the element that represents them in its text. */
function describe({ controls }: Reading): ReadonlyMap<Element, Observed> {
  const placed = controls.map((each) => ({ ...each, at: shownAt(each.surface) }));
  const chosen = [...placed.filter(({ at }) => at), ...placed.filter(({ at }) => !at)].slice(
    0,
    most.elements,
  );
  beginAriaCaches();
  try {
    return new Map(chosen.map((each) => [each.surface, observed(each)]));
  } finally {
    endAriaCaches();
  }
}

function joined(
  reading: Reading,
  own: ReadonlyMap<Element, Observed>,
  parts: ReadonlyMap<Element, Part>,
  { text, isCut }: Text,
): Part {
  const all = reading.order.flatMap((element) => {
    const found = own.get(element);
    const part = parts.get(element);
    return [...(found ? [found] : []), ...(part ? placed(element as HTMLIFrameElement, part) : [])];
  });
  const elements = [...all.filter(({ at }) => at), ...all.filter(({ at }) => !at)].slice(0, most.elements);
  const headings = [...reading.headings, ...[...parts.values()].flatMap((part) => part.headings)];
  const inner = [...parts.values()];
  return {
    elements,
    headings: headings.slice(0, most.headings).map((heading) => cut(heading, most.heading)),
    text,
    links: unique([...linksOf(reading), ...inner.flatMap((part) => part.links)]).slice(0, most.links),
    voices: [voiceOf(reading, own), ...reading.frames.flatMap((frame) => voicesOf(frame, parts))].slice(
      0,
      most.voices,
    ),
    dialog: dialogOf(reading) ?? inner.find(({ dialog }) => dialog !== null)?.dialog ?? null,
    cut:
      reading.isCut ||
      isCut ||
      own.size < reading.controls.length ||
      elements.length < all.length ||
      headings.length > most.headings ||
      inner.length < reading.frames.length ||
      inner.some((part) => part.cut),
    last: lastRef(),
  };
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const linksOf = ({ controls }: Reading): readonly string[] =>
  unique(controls.flatMap(({ control }) => leadsTo(control)));

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

function voiceOf({ blocks, headings }: Reading, own: ReadonlyMap<Element, Observed>): Voice {
  const controls = [...own.values()].flatMap(({ name, value = '', options = [] }) => [
    name,
    value,
    ...options,
  ]);
  const said = [...blocks.map(({ text }) => text), ...headings, ...controls].filter((text) => text !== '');
  return { url: cut(location.href, most.url), said: cut(said.join('\n'), most.said) };
}

/**
 * A frame that does not answer is listed with its address, because it is visible. A document without its own address counts as part of this
 * one.
 */
function voicesOf(frame: HTMLIFrameElement, parts: ReadonlyMap<Element, Part>): readonly Voice[] {
  const voices = parts.get(frame)?.voices ?? [{ url: frame.src, said: '' }];
  return voices.map(({ url, said }) => ({
    url: hostOf(url) === '' ? location.href : cut(url, most.url),
    said,
  }));
}

/** Elements of a frame in this document's terms: in view only if the frame is in view there. */
function placed(frame: HTMLIFrameElement, { elements }: Part): Observed[] {
  const isInView = ({ x, y }: Point) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  return elements.map((element) => {
    const at = element.at && outOf(frame, element.at);
    return { ...element, at: at && isInView(at) ? at : null };
  });
}

interface Text {
  readonly text: string;
  readonly isCut: boolean;
}

/** Text in view comes first when the text must be cut. */
function textOf({ blocks }: Reading, parts: ReadonlyMap<Element, Part>, longest: number): Text {
  const texts = blocks.map(({ text, within, frame }) => ({
    text: frame ? (parts.get(frame)?.text ?? '') : text,
    within,
  }));
  const whole = texts.map(({ text }) => text).filter((text) => text !== '');
  const all = whole.join('\n');
  if (all.length <= longest) return { text: cut(all, longest), isCut: false };
  const inView = texts.filter(({ within }) => touchesView(within));
  const rest = texts.filter((block) => !inView.includes(block));
  const text = [...inView, ...rest].map((block) => cut(block.text, most.block)).join('\n');
  return { text: cut(text, longest), isCut: true };
}

function touchesView(element: Element): boolean {
  const { top, bottom, left, right } = rectOf(element);
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
}

function dialogOf({ dialogs, blocks }: Reading): string | null {
  const last = dialogs.at(-1);
  if (!last) return null;
  return cut(
    blocks
      .slice(last.from, last.to)
      .map(({ text }) => text)
      .join('\n'),
    most.dialog,
  );
}
