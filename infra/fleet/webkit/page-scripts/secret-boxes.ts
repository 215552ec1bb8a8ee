import { isFrame } from './dom.ts';
import { boxOf, type Box } from './geometry.ts';
import { filledSecrets } from './secrets.ts';
import type { AskFrame } from './tap.ts';

/** Boxes in the viewport that may show a secret: secret fields, and frames that contain one or do not answer. */
export async function secretBoxes(ask: AskFrame): Promise<{ readonly boxes: readonly Box[] }> {
  const frames = framesIn(document);
  const secret = await Promise.all(
    frames.map(async (frame) => ((await hasSecrets(frame, ask)) ? [frame] : [])),
  );
  const boxes = [...filledSecrets(), ...secret.flat()].map(boxOf);
  return { boxes: boxes.filter(({ width, height }) => width > 0 && height > 0) };
}

async function hasSecrets(frame: HTMLIFrameElement, ask: AskFrame): Promise<boolean> {
  const within = (await ask(frame, 'secretBoxes', {}).catch(() => undefined)) as
    | { readonly boxes: readonly Box[] }
    | undefined;
  return within === undefined || within.boxes.length > 0;
}

function framesIn(root: Document | ShadowRoot): HTMLIFrameElement[] {
  const own = [...root.querySelectorAll('iframe, frame')].filter(isFrame);
  const shadows = [...root.querySelectorAll('*')].flatMap((element) => element.shadowRoot ?? []);
  return [...own, ...shadows.flatMap(framesIn)];
}
