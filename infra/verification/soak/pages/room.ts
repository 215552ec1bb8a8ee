import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What the service and its browsers have of memory and disk, MB. */
export interface Room {
  /** Of all processes together; what several of them share is counted once. */
  readonly serviceMb: number;
  readonly nodeMb: number;
  /** Of what browsers have written. */
  readonly diskMb: number;
  readonly browsers: number;
}

/** What is looked at: the service's processes by their names, and the directory of its browsers. */
export interface Look {
  readonly processes: Readonly<Record<string, number>>;
  readonly runtimeDir: string;
}

export interface RoomWatch {
  now(): Promise<Room>;
  close(): void;
}

/** A process of its own that looks, so that nobody who measures waits for it. */
export function watchRoom(look: () => Look): RoomWatch {
  const child = fork(new URL('room-process.ts', import.meta.url));
  return {
    now: async () => {
      child.send(look());
      const [room] = (await once(child, 'message')) as [Room];
      return room;
    },
    close: () => void child.kill(),
  };
}

export const greater = (one: Room, other: Room): Room => ({
  serviceMb: Math.max(one.serviceMb, other.serviceMb),
  nodeMb: Math.max(one.nodeMb, other.nodeMb),
  diskMb: Math.max(one.diskMb, other.diskMb),
  browsers: Math.max(one.browsers, other.browsers),
});
