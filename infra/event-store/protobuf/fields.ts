import type { ProtobufReader } from './reader.ts';

/** Handlers of a message's fields, by their numbers. */
export type Fields<T> = Readonly<Record<number, (reader: ProtobufReader, into: T) => void>>;

/** Reads the fields in any order; the last of a repeated field wins. */
export function readFields<T>(reader: ProtobufReader, fields: Fields<T>, into: T): T {
  for (let number = reader.next(); number !== 0; number = reader.next()) {
    const read = fields[number];
    if (read === undefined) reader.skip();
    else read(reader, into);
  }
  return into;
}

export function readNested<T>(reader: ProtobufReader, fields: Fields<T>, into: T): T {
  const outer = reader.enter();
  readFields(reader, fields, into);
  reader.leave(outer);
  return into;
}
