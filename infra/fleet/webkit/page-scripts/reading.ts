import { isFrame, asShown } from './dom.ts';
import { controlBehind, isControl, isSeen, showsPointer } from './controls.ts';
import { isSecret } from './secrets.ts';

/** A line or a paragraph, or the place of a frame. */
export interface Block {
  readonly text: string;
  /** The element that contains it. */
  readonly within: Element;
  readonly frame?: HTMLIFrameElement;
}

export interface Control {
  readonly control: Element;
  /** Its visible part that can be touched. */
  readonly surface: Element;
}

/** The document in reading order, through open shadow trees. */
export interface Reading {
  readonly controls: readonly Control[];
  readonly frames: readonly HTMLIFrameElement[];
  /** Surfaces of the controls, and frames. */
  readonly order: readonly Element[];
  readonly headings: readonly string[];
  readonly blocks: readonly Block[];
  /** Open dialogs, with the blocks at which they begin and end. */
  readonly dialogs: readonly { readonly from: number; readonly to: number }[];
  readonly isCut: boolean;
}

const most = { elements: 50_000, frames: 20, headings: 51 } as const;

const textless = new Set([
  ...['script', 'style', 'noscript', 'template', 'head', 'textarea', 'select', 'datalist', 'svg', 'math'],
  ...['audio', 'video', 'canvas', 'object', 'embed', 'iframe', 'frame', 'progress', 'meter', 'title'],
]);
const keepsLines = new Set(['pre', 'pre-wrap', 'pre-line', 'break-spaces']);
/** Whether the element continues the current line. */
const isInLine = ({ display }: CSSStyleDeclaration): boolean =>
  display.startsWith('inline') || display === 'contents' || display === 'table-cell';
const isHeading = (element: Element): boolean => element.matches('h1, h2, h3, h4, h5, h6, [role="heading"]');
const isDialog = (element: Element): boolean =>
  element.matches('dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]');

export function readPage(): Reading {
  const reader = new Reader();
  reader.read(document.documentElement);
  return reader.finish();
}

class Reader {
  readonly #controls: Control[] = [];
  readonly #frames: HTMLIFrameElement[] = [];
  readonly #order: Element[] = [];
  readonly #headings: string[] = [];
  readonly #blocks: Block[] = [];
  readonly #dialogs: { from: number; to: number }[] = [];
  #line = '';
  #within: Element = document.documentElement;
  #elements = 0;
  #isCut = false;

  finish(): Reading {
    this.#endLine();
    return {
      controls: this.#controls,
      frames: this.#frames,
      order: this.#order,
      headings: this.#headings,
      blocks: this.#blocks,
      dialogs: this.#dialogs,
      isCut: this.#isCut,
    };
  }

  read(element: Element): void {
    if ((this.#elements += 1) > most.elements) {
      this.#isCut = true;
      return;
    }
    const style = getComputedStyle(element);
    if (style.display === 'none' || isCollapsed(element, style)) return;
    const isShown = style.visibility === 'visible';
    if (isShown) this.#note(element, style);
    if (element.localName === 'br') this.#endLine();
    if (textless.has(element.localName) || isSecret(element)) return;
    this.#readWithin(element, style, isShown);
  }

  #readWithin(element: Element, style: CSSStyleDeclaration, isShown: boolean): void {
    const [heading, dialog] = [isShown && isHeading(element), isShown && isDialog(element)];
    const isApart = heading || dialog || !isInLine(style);
    if (isApart) this.#endLine();
    const from = this.#blocks.length;
    this.#readChildren(element, style, isShown);
    if (isApart) this.#endLine();
    else if (style.display === 'table-cell') this.#line += ' ';
    const to = this.#blocks.length;
    if (heading && to > from) this.#noteHeading(from);
    if (dialog && to > from) this.#dialogs.push({ from, to });
  }

  #readChildren(element: Element, style: CSSStyleDeclaration, isShown: boolean): void {
    for (const child of childrenOf(element)) {
      if (child instanceof Element) this.read(child);
      else if (isShown && child instanceof Text) this.#write(child.data, element, style);
    }
  }

  #note(element: Element, style: CSSStyleDeclaration): void {
    if (isFrame(element)) this.#noteFrame(element);
    const hidden = controlBehind(element);
    if (hidden) this.#noteControl({ control: hidden, surface: element });
    else if (isControl(element) || (showsPointer(element, style) && !isWithinControl(element)))
      if (isSeen(element)) this.#noteControl({ control: element, surface: element });
  }

  #noteControl(control: Control): void {
    this.#controls.push(control);
    this.#order.push(control.surface);
  }

  #noteFrame(frame: HTMLIFrameElement): void {
    if (!isSeen(frame)) return;
    if (this.#frames.length >= most.frames) {
      this.#isCut = true;
      return;
    }
    this.#endLine();
    this.#frames.push(frame);
    this.#order.push(frame);
    this.#blocks.push({ text: '', within: frame, frame });
  }

  #noteHeading(from: number): void {
    const text = this.#blocks
      .slice(from)
      .map((block) => block.text)
      .join(' ');
    if (this.#headings.length < most.headings) this.#headings.push(text);
  }

  #write(text: string, within: Element, { whiteSpace }: CSSStyleDeclaration): void {
    const lines = keepsLines.has(whiteSpace) ? text.split('\n') : [text];
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#endLine();
      if (this.#line === '') this.#within = within;
      this.#line += line;
    }
  }

  #endLine(): void {
    const text = asShown(this.#line);
    this.#line = '';
    if (text !== '') this.#blocks.push({ text, within: this.#within });
  }
}

/** Laid out but invisible: content for screen readers, and collapsed content. */
function isCollapsed(element: Element, { overflowX, overflowY }: CSSStyleDeclaration): boolean {
  if (overflowX === 'visible' && overflowY === 'visible') return false;
  if (element === document.documentElement || element === document.body) return false;
  const { width, height } = element.getBoundingClientRect();
  return width * height <= 1;
}

const isWithinControl = (element: Element): boolean => {
  const around = element.parentElement?.closest('a, button, label, summary, [role], [onclick], [tabindex]');
  return around !== null && around !== undefined && isControl(around);
};

/**
 * Children in the flattened tree: a host's shadow tree, a slot's assigned nodes, and only the summary of closed
 * details.
 */
function childrenOf(element: Element): Iterable<Node> {
  if (element.shadowRoot) return element.shadowRoot.childNodes;
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    return assigned.length > 0 ? assigned : element.childNodes;
  }
  if (element instanceof HTMLDetailsElement && !element.open) {
    const summary = [...element.children].find((child) => child.localName === 'summary');
    return summary ? [summary] : [];
  }
  return element.childNodes;
}
