import { dialogHeldMs, type HeldDialog } from '../../../contracts/resources/room.ts';
import { Type } from '../../../contracts/schema.ts';
import { parsedUrl } from '../../../contracts/url.ts';
import { limitsOf, type Hands } from '../node/driver.ts';
import { shape } from '../shape.ts';
import { ask, nothing } from './ask.ts';
import type { HostDialog } from './host-channel.ts';
import type { Instance } from './instance.ts';

/** Time limit in milliseconds of a command about dialogs, which asks nothing of the page. */
const commandMs = 5_000;

const wasOpen = shape(Type.Boolean());

/** The dialogs of a browser, for the person who drives. */
export function dialogsOf(instance: Instance): Pick<Hands, 'holdDialogs' | 'answerDialog'> {
  let told: ((dialog: HeldDialog | null) => void) | undefined;
  instance.host.onDialog((dialog) => told?.(dialog && heldDialog(dialog)));
  const hold = (held_ms: number | null) =>
    ask(instance, 'hold_dialogs', { held_ms }, nothing, limitsOf(commandMs));
  return {
    holdDialogs: (listener) => {
      told = listener;
      // If the browser does not answer, its dialogs are answered by default.
      const held = hold(dialogHeldMs).catch(() => null);
      return async () => {
        if (told !== listener) return;
        told = undefined;
        await Promise.all([held, hold(null)]);
      };
    },
    answerDialog: ({ id, accept, text = null }) =>
      instance.during(() =>
        ask(instance, 'answer_dialog', { id, accept, text }, wasOpen, limitsOf(commandMs)),
      ),
  };
}

const heldDialog = ({ url, ...dialog }: HostDialog): HeldDialog => ({
  ...dialog,
  origin: parsedUrl(url)?.origin ?? 'null',
  answer_ms: dialogHeldMs,
});
