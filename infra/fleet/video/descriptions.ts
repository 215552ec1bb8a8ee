import { bounds } from './bounds.ts';

const most = bounds.descriptions;

/** The lines of a description, however they end. */
const linesOf = (sdp: string): readonly string[] => sdp.split(/\r?\n/);

/** The description with other lines in the place of each. `werift` must get them joined by CRLF, or it reads others. */
export const changed = (sdp: string, change: (line: string) => readonly string[]): string =>
  linesOf(sdp).flatMap(change).join('\r\n');

/**
 * Whether reading a description would keep the process of the node busy. In each section `werift` looks for every number up to that of
 * a bundle's names in all of them, and it keeps each line of feedback with each codec.
 */
export function isTooLong(sdp: string): boolean {
  if (sdp.length > most.characters) return true;
  const lines = linesOf(sdp);
  const numberOf = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
  return (
    numberOf('m=') > most.sections ||
    numberOf('a=rtpmap:') * numberOf('a=rtcp-fb:') > most.feedback ||
    lines.some((line) => line.split(' ', most.words + 1).length > most.words)
  );
}

/** Those of the first offer are compared, once. `werift` would keep those of each, and go over all of them with each section. */
export const withoutFingerprints = (sdp: string): string =>
  changed(sdp, (line) => (line.startsWith('a=fingerprint:') ? [] : [line]));
