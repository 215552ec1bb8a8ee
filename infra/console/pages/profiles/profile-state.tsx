import type { Profile } from '../../../../contracts/client/index.ts';
import { Status, type Tone } from '../../parts/record.tsx';
import { words } from './strings.ts';

const tones: Readonly<Record<Profile['save_state'], Tone>> = {
  none: 'wait',
  saved: 'good',
  saving: 'busy',
  failed: 'bad',
};

export const ProfileState = ({ save_state: state }: Pick<Profile, 'save_state'>) => (
  <Status tone={tones[state]} word={words.states[state]} />
);
