import Cairo from 'cairo';
import Gdk from 'gi://Gdk?version=3.0';
import { CommandFailed } from './channel.js';
import { ofDocument } from './view.js';

/** Size of a picture in pixels: a phone's viewport. */
const most = { width: 390, height: 844 };
const quality = 60;

/** Maximal pixels of a side of a Cairo surface. */
const longestSide = 32_767;
/** Maximal pixels of a picture. Several processes of the browser have it in memory, with 4 bytes each: a fifth of `BROWSER_MEMORY`. */
const mostPixels = 50_000_000;

/** CSS pixels of the document's sides, as JSON. */
export const sidesScript = `
  const { scrollWidth, scrollHeight } = ${ofDocument('scrollingElement')} ?? ${ofDocument('documentElement')};
  return JSON.stringify([scrollWidth, scrollHeight]);`;

/** Throws for a document or a part of it that is too large for one picture. WebKit would paint all of it before it fails. */
export function assertFits(sides, scale) {
  const [width, height] = sides.map((side) => side * scale);
  if (Math.max(width, height) > longestSide || width * height > mostPixels)
    throw new CommandFailed('too_long', 'No picture is that large.');
}

/** The part of a picture within the box, with `scale` pixels for each of the box's. */
export function cut(surface, box, scale) {
  const [x, y] = [Math.round(box.x * scale), Math.round(box.y * scale)];
  const [width, height] = [Math.round(box.width * scale), Math.round(box.height * scale)];
  const part = new Cairo.ImageSurface(Cairo.Format.ARGB32, width, height);
  const context = new Cairo.Context(part);
  context.setSourceSurface(surface, -x, -y);
  context.paint();
  context.$dispose();
  return part;
}

/**
 * Writes what a view shows as a small JPEG, with these boxes covered.
 * @param surface the painted view
 * @param covers boxes in CSS pixels; `scale` is the number of the surface's pixels for each
 */
export function writeJpeg(surface, covers, scale, path) {
  const [width, height] = [surface.getWidth(), surface.getHeight()];
  const factor = Math.min(most.width / width, most.height / height, 1);
  const size = [width * factor, height * factor].map((length) => Math.max(1, Math.round(length)));
  const small = new Cairo.ImageSurface(Cairo.Format.RGB24, ...size);
  const context = new Cairo.Context(small);
  context.scale(factor, factor);
  context.setSourceSurface(surface, 0, 0);
  context.paint();
  context.setSourceRGB(0.5, 0.5, 0.5);
  for (const box of covers) {
    context.rectangle(box.x * scale, box.y * scale, box.width * scale, box.height * scale);
    context.fill();
  }
  context.$dispose();
  Gdk.pixbuf_get_from_surface(small, 0, 0, ...size).savev(path, 'jpeg', ['quality'], [String(quality)]);
}
