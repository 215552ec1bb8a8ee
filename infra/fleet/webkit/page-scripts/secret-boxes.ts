import { isFrame, shadowRootsIn } from './dom.ts';
import { boxOf, type Box } from './geometry.ts';
import { isSecret, keptEditors } from './secrets.ts';
import type { AskFrame } from './tap.ts';

/** Boxes in the viewport that may show a secret: secret fields, and frames that contain one or do not answer. */
export async function secretBoxes(ask: AskFrame): Promise<{ readonly boxes: readonly Box[] }> {
  const frames = trees().flatMap(framesIn);
  const secret = await Promise.all(
    frames.map(async (frame) => ((await hasSecrets(frame, ask)) ? [frame] : [])),
  );
  const boxes = [...trees().flatMap(fieldsIn), ...editors(), ...secret.flat()].map(boxOf);
  return { boxes: boxes.filter(({ width, height }) => width > 0 && height > 0) };
}

async function hasSecrets(frame: HTMLIFrameElement, ask: AskFrame): Promise<boolean> {
  const within = (await ask(frame, 'secretBoxes', {}).catch(() => undefined)) as
    | { readonly boxes: readonly Box[] }
    | undefined;
  return within === undefined || within.boxes.length > 0;
}

/** The document and its open shadow trees. */
const trees = (): readonly ParentNode[] => [document, ...shadowRootsIn(document)];

const framesIn = (root: ParentNode): HTMLIFrameElement[] =>
  [...root.querySelectorAll('iframe, frame')].filter(isFrame);

/** Fields that hold a secret. */
const fieldsIn = (root: ParentNode): Element[] =>
  [...root.querySelectorAll('input, textarea')].filter(
    (field) => isSecret(field) && 'value' in field && field.value !== '',
  );

/** Editable elements that hold a secret, wherever they are. */
const editors = (): Element[] => keptEditors().filter((editor) => editor.isConnected);
