import { readNested, type Fields } from './fields.ts';
import type { ProtobufReader } from './reader.ts';

interface Draft {
  text: string;
  most: bigint;
  least: bigint;
}

const halvesFields: Fields<Draft> = {
  1: (reader, draft) => (draft.most = reader.uint64()),
  2: (reader, draft) => (draft.least = reader.uint64()),
};

/** Formats a uuid from its two unsigned halves. */
export function uuidOfHalves(most: bigint, least: bigint): string {
  const hex = most.toString(16).padStart(16, '0') + least.toString(16).padStart(16, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Fields of the event store's `UUID`: two halves of 64 bits, or text. */
const uuidFields: Fields<Draft> = {
  1: (reader, draft) => {
    const { most, least } = readNested(reader, halvesFields, draft);
    draft.text = uuidOfHalves(most, least);
  },
  2: (reader, draft) => (draft.text = reader.text()),
};

/** The uuid in either of its forms; empty if there is none. */
export const readUuid = (reader: ProtobufReader): string =>
  readNested<Draft>(reader, uuidFields, { text: '', most: 0n, least: 0n }).text;
