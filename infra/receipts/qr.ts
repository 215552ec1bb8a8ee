import QRCode from 'qrcode';
import { memoized } from '../platform/cache.ts';

/** Modules of the quiet zone that scanners need on each side (ISO/IEC 18004). */
const quiet = 4;

/** An SVG of a QR code, one unit for each module. */
export const qrSvg = memoized((text: string): string => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  const rows = Array.from({ length: size }, (_, y) => data.subarray(y * size, (y + 1) * size).join(''));
  const path = rows.flatMap((row, y) =>
    Array.from(
      row.matchAll(/1+/g),
      ({ 0: run, index }) => `M${index + quiet} ${y + quiet}h${run.length}v1h-${run.length}z`,
    ),
  );
  const side = size + 2 * quiet;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path.join('')}"/></svg>`
  );
});
