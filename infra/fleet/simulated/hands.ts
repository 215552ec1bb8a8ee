import type { HeldDialog } from '../../../contracts/resources/room.ts';
import type { Aim, Hands } from '../node/driver.ts';

interface SimulatedHands extends Hands {
  readonly felt: readonly string[];
  /** Makes the browser announce a touch, as an operation does. */
  readonly aimAt: (aim: Aim) => void;
  /** Opens a dialog, as a page does. False if it is not held open. */
  readonly openDialog: (dialog: HeldDialog) => boolean;
}

/** Records in words what a simulated browser was touched with; its pages do not react. */
export function simulatedHands(viewport: Hands['viewport']): SimulatedHands {
  const felt: string[] = [];
  let aimed: ((aim: Aim) => void) | undefined;
  const feel = async (what: string) => void felt.push(what);
  return {
    viewport,
    felt,
    touch: ({ type, finger, x, y }) => feel(`${type} ${finger} ${x},${y}`),
    keyDown: (key, modifiers) => feel(`key ${[...modifiers, key].join('+')}`),
    keyUp: (key) => feel(`key up ${key}`),
    text: (text) => feel(`text of ${text.length}`),
    paste: (text) => feel(`paste of ${text.length}`),
    selection: async () => '',
    keyboard: async () => null,
    lift: () => feel('lift'),
    watchAims: (listener) => {
      aimed = listener;
      return () => {
        if (aimed === listener) aimed = undefined;
      };
    },
    aimAt: (aim) => aimed?.(aim),
    ...simulatedDialogs(felt),
  };
}

function simulatedDialogs(
  felt: string[],
): Pick<SimulatedHands, 'holdDialogs' | 'answerDialog' | 'openDialog'> {
  let told: ((dialog: HeldDialog | null) => void) | undefined;
  let open: HeldDialog | null = null;
  const close = (id: number, answer: string) => {
    felt.push(`dialog ${id} ${answer}`);
    open = null;
    told?.(null);
  };
  return {
    holdDialogs: (listener) => {
      told = listener;
      return async () => {
        if (told !== listener) return;
        told = undefined;
        if (open !== null) close(open.id, 'by default');
      };
    },
    answerDialog: async ({ id, accept, text = '' }) => {
      if (open?.id !== id) return false;
      close(id, accept ? `accepted ${text}`.trim() : 'dismissed');
      return true;
    },
    openDialog: (dialog) => {
      if (told === undefined) return false;
      open = dialog;
      told(dialog);
      return true;
    },
  };
}
