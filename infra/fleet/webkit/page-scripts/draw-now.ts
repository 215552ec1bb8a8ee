/** CSS pixels of an element that is painted sooner than the next frame begins. */
const smallArea = 10_000;

/**
 * Has WebKit draw a frame at once instead of up to 17 ms later. It answers for a mouse's move only at the end of a frame, and the
 * click of a tap waits for that answer. It draws at once when something must be painted anew, which making a highlight says of
 * its range. One that is never registered shows nothing and leaves no trace in the page. The range is a text of the element
 * that the finger meets, or the element if it is small; painting a large one would take longer than the frame that is saved.
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
