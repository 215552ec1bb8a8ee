import type { CryptoOrder } from '../../../../contracts/client/index.ts';
import { Status, type Tone } from '../../parts/record.tsx';
import { words } from './strings.ts';

const tones: Readonly<Record<CryptoOrder['status'], Tone>> = {
  pending: 'wait',
  partially_paid: 'busy',
  confirming: 'busy',
  paid: 'good',
  expired: 'over',
  cancelled: 'over',
  failed: 'bad',
};

export const OrderStatus = ({ status }: Pick<CryptoOrder, 'status'>) => (
  <Status tone={tones[status]} word={words.orderStatuses[status]} />
);
