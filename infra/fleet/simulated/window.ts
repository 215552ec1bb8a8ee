import type { ShowPicture } from '../node/picture.ts';
import { simulatedPicture } from './picture.ts';

/** Milliseconds between two pictures, as of a page that stands still. */
const everyMs = 1_000;
/** Size of the picture, in pixels. */
const size = { width: 390, height: 844 };

/** Shows the white picture of every simulated page. There is no media. */
export const showSimulatedWindow: ShowPicture = async (kind, { unit }) => {
  if (kind !== 'jpeg') throw new Error('Simulated windows are shown by pictures only.');
  const picture = Buffer.from(simulatedPicture(), 'base64');
  const show = () => unit(picture);
  const timer = setInterval(show, everyMs).unref();
  show();
  return {
    size,
    key: show,
    bitrate: () => undefined,
    processorSeconds: () => 0,
    close: async () => clearInterval(timer),
  };
};
