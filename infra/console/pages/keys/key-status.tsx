import type { ApiKey } from '../../../../contracts/client/index.ts';
import { Status, type Tone } from '../../parts/record.tsx';
import { words } from './strings.ts';

const tones: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  rotated: 'wait',
  expired: 'over',
  revoked: 'over',
};

export const KeyStatus = ({ status }: Pick<ApiKey, 'status'>) => (
  <Status tone={tones[status]} word={words.statuses[status]} />
);
