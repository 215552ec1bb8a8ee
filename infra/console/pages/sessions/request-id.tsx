import { addressOf } from '../../parts/places.ts';
import { Id } from '../../parts/record.tsx';

/** Clients may name their requests as they like: it leads to what the request caused, however it begins. */
export const RequestId = ({ id }: { readonly id: string }) => (
  <Id id={id} href={addressOf(`/requests/${encodeURIComponent(id)}`)} />
);
