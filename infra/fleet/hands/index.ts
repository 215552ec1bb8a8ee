import { parseId } from '../../../contracts/ids.ts';
import type { OpenRoomEvents } from '../video/room.ts';
import { RoomHands, type HandsOptions } from './room-hands.ts';
import { WatchRoom } from './watch-room.ts';

export { openControlLine, type ControlLine } from './control-line.ts';
export type { HandsOptions } from './room-hands.ts';
export type { Seat } from './seat.ts';
export { Turns } from './turns.ts';

/**
 * People's input to this node's browsers, in rooms of agent sessions. In a room of a session alone they only watch.
 */
export const openHands =
  (options: HandsOptions): OpenRoomEvents =>
  (room) => {
    const id = parseId('agentSession', room.name);
    return id === undefined ? new WatchRoom(room, options) : new RoomHands(id, room, options);
  };
