import type { PageState } from '../../../contracts/resources/live.ts';
import type { Room } from '../video/room.ts';
import { Delivery, type DeliveryOptions, type Touched } from './delivery.ts';
import { send } from './messages.ts';
import { PageWatch } from './page-watch.ts';

/** A browser of this node, as people have it before them. */
export interface Seat extends Touched {
  readonly pageState: () => Promise<PageState>;
}

/** Cursor messages a second at most, whatever a browser says of itself. */
const aimsPerSecond = 20;

/** What the people of a room see of a browser and do to it, until they have another one before them. */
export class Seated {
  readonly seat: Seat;
  readonly delivery: Delivery;
  readonly page: PageWatch;
  private aimedAt = -Infinity;

  constructor(seat: Seat, room: Room, options: DeliveryOptions) {
    this.seat = seat;
    this.delivery = new Delivery(seat, options);
    this.page = new PageWatch(seat, (message) => send(room, 'page', message));
    seat.hands.watchAims((aim) => {
      const now = performance.now();
      if (now - this.aimedAt < 1000 / aimsPerSecond) return;
      this.aimedAt = now;
      send(room, 'cursor', aim);
    });
  }

  close(): void {
    this.seat.hands.watchAims(undefined);
    this.delivery.close();
    this.page.close();
  }
}
