import type { Session } from '../../../../contracts/client/index.ts';
import { Status, type Tone } from '../../parts/record.tsx';
import { words } from './strings.ts';

const tones: Readonly<Record<Session['status'], Tone>> = {
  creating: 'wait',
  ready: 'good',
  busy: 'busy',
  destroyed: 'over',
  errored: 'bad',
};

export const SessionStatus = ({ status }: Pick<Session, 'status'>) => (
  <Status tone={tones[status]} word={words.statuses[status]} />
);
