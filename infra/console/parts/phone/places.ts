import type { Size } from './phone.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Converts a point of the window to CSS pixels of the phone; the margins around the picture are outside of it. */
export function pointOn(box: DOMRect, { width, height }: Size, { x, y }: Point): Point {
  const scale = Math.min(box.width / width, box.height / height);
  const left = box.left + (box.width - width * scale) / 2;
  const top = box.top + (box.height - height * scale) / 2;
  return { x: round((x - left) / scale), y: round((y - top) / scale) };
}

const round = (length: number): number => Math.round(length * 10) / 10;

export const isOn = ({ width, height }: Size, { x, y }: Point): boolean =>
  x >= 0 && y >= 0 && x < width && y < height;

/** The nearest point of the screen. */
export const within = ({ width, height }: Size, { x, y }: Point): Point => ({
  x: Math.min(Math.max(x, 0), width - 1),
  y: Math.min(Math.max(y, 0), height - 1),
});
