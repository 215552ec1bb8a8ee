import type { Evidence } from '../evidence/index.ts';
import { isSuspect, stemsOf } from '../evidence/secrets.ts';
import type { Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Answers that contain a new key, signing secret or token for its requester, or an address for the owner of a team. */
const meantToShow = [
  ...['create-key', 'rotate-key', 'register-webhook', 'rotate-secret'],
  ...['sign-in', 'use-magic-link', 'refresh-session', 'refresh-meanwhile'],
  ...['invite', 'list-team', 'open-agent', 'video-token', 'create-link', 'open-link'],
];

export const canariesStayHidden: Invariant = {
  id: 'N10',
  holds: 'No planted secret is in any store, queue, log or reply.',
  judged: 'every table, queue key, event, log line and answer, searched as text',
  violations: (evidence) => {
    const places = { ...evidence.stored, ...logsOf(evidence), ...repliesOf(evidence) };
    return Object.entries(places).flatMap(([place, texts]) => found(evidence, place, texts));
  },
};

function found({ canaries }: Evidence, place: string, texts: readonly string[]): Violation[] {
  return stemsOf(canaries).flatMap((stem) => {
    const suspects = texts.filter((each) => isSuspect(each, [stem]));
    if (suspects.length === 0) return [];
    return canaries
      .filter(({ text }) => text.startsWith(stem) && suspects.some((each) => each.includes(text)))
      .map(({ name }) => ({ what: `the secret “${name}” is in ${place}` }));
  });
}

const logsOf = ({ processLogs }: Evidence) =>
  Object.fromEntries(Object.entries(processLogs).map(([process, lines]) => [`the log of ${process}`, lines]));

const repliesOf = ({ history }: Evidence) => ({
  'a reply': history.filter(({ action }) => !meantToShow.includes(action)).map(textOf),
});

const textOf = ({ answer }: Exchange): string =>
  'headers' in answer ? `${JSON.stringify(answer.headers)} ${answer.text}` : (answer.text ?? '');
