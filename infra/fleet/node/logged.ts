import type { SessionId } from '../../../contracts/ids.ts';
import type { Seat } from '../hands/index.ts';
import type { DriverLog } from './driver-log.ts';
import { limitsOf, type Browser, type Hands } from './driver.ts';
import type { ShowPicture } from './picture.ts';

/** The same hands; each touch is logged before the browser gets it. */
export const loggedHands = (hands: Hands, session_id: SessionId, log: DriverLog): Hands => ({
  ...hands,
  touch: (step) => {
    const { type, x, y } = step;
    log({ action: 'touch', session_id, type, x, y });
    return hands.touch(step);
  },
});

/** Time limit in milliseconds for a page to report its state to people who watch it. */
const pageStateMs = 2_000;

/** A browser for people's input, which is logged. */
export const loggedSeat = (
  { hands, live }: Pick<Browser, 'hands' | 'live'>,
  session: SessionId,
  log: DriverLog,
): Seat => ({
  session,
  hands: loggedHands(hands, session, log),
  pageState: () => live.page_state(null, limitsOf(pageStateMs)),
});

/** The same window, if there is one; the start and the end of its picture are logged. */
export const loggedShow = (
  show: ShowPicture | undefined,
  session_id: SessionId,
  log: DriverLog,
): ShowPicture | undefined =>
  show &&
  (async (kind, listener) => {
    let isShown = true;
    const hide = () => {
      if (isShown) log({ action: 'hide', session_id, kind });
      isShown = false;
    };
    log({ action: 'show', session_id, kind });
    try {
      const ended = () => {
        hide();
        listener.ended();
      };
      const picture = await show(kind, { unit: (unit) => listener.unit(unit), ended });
      return { ...picture, close: () => picture.close().finally(hide) };
    } catch (error) {
      hide();
      throw error;
    }
  });
