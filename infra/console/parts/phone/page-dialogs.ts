import type { HeldDialog, RoomInput } from '../../../../contracts/resources/room.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

/** Names the page that opened a dialog by its origin, so that its text is not taken for the console's. */
export const askedBy = ({ origin }: Pick<HeldDialog, 'origin'>): string =>
  origin === 'null' ? words.dialog.bySomePage : filled(words.dialog.byPage, { origin });

/** The answer to a dialog. A prompt's text is sent if it was changed: the one that is shown may be cut. */
export const answerTo = (
  { id, type, default_text }: Pick<HeldDialog, 'id' | 'type' | 'default_text'>,
  accept: boolean,
  text: string,
): RoomInput => ({
  ...{ type: 'answerDialog', dialogId: id, accept },
  ...(type === 'prompt' && accept && text !== default_text && { text }),
});
