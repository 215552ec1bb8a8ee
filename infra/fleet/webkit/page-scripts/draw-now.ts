/** Maximal size, in CSS pixels, of an element that is painted faster than the next frame begins. */
const smallArea = 10_000;

/**
 * Makes WebKit draw a frame at once instead of up to 17 ms later. WebKit acknowledges a mouse move only at the end of a
 * frame, and the click of a tap waits for that.
 *
 * Creating a highlight marks its range for painting, which draws at once. A highlight that is not registered shows
 * nothing and leaves no trace in the page. The range is a text of the touched element, or the element if it is small:
 * painting a large one would take longer than the frame.
 */
export function drawNow(hit: EventTarget | undefined): void {
  if (!(hit instanceof Element)) return;
  const text = [...hit.childNodes].find((node) => node instanceof Text && node.data.trim() !== '');
  if (text) repaint(text, 0, text, 1);
  else if (hit.parentNode && isSmall(hit))
    repaint(hit.parentNode, [...hit.parentNode.childNodes].indexOf(hit), hit, 0);
}

function isSmall(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width * height <= smallArea;
}

const repaint = (startContainer: Node, startOffset: number, endContainer: Node, endOffset: number) =>
  new Highlight(new StaticRange({ startContainer, startOffset, endContainer, endOffset }));
