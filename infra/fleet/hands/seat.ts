import type { PageState } from '../../../contracts/resources/live.ts';
import type { MetElement } from '../../../contracts/resources/target.ts';
import type { Aim } from '../node/driver.ts';
import type { Room } from '../video/room.ts';
import { Delivery, type DeliveryOptions, type Touched } from './delivery.ts';
import { Dialogs } from './dialogs.ts';
import { send } from './messages.ts';
import { PageWatch } from './page-watch.ts';

/** A browser of this node as people watch and touch it. */
export interface Seat extends Touched {
  readonly pageState: () => Promise<PageState>;
}

/** Maximal cursor messages per second, however many a browser announces. */
const aimsPerSecond = 20;

/** The browser of a room, as people see and control it, until the room gets another one. */
export class Seated {
  readonly seat: Seat;
  readonly delivery: Delivery;
  readonly page: PageWatch;
  readonly #dialogs: Dialogs;
  readonly #room: Room;
  readonly #stopAiming: () => void;
  readonly #stopMeeting: () => void;
  readonly #stopAttending: () => void;
  #aimedAt = -Infinity;
  /** The last touch of the running operation. */
  #aim: Aim | undefined;

  constructor(seat: Seat, room: Room, options: Omit<DeliveryOptions, 'openDialog'>) {
    this.seat = seat;
    this.#room = room;
    const { turns } = options;
    this.page = new PageWatch(seat, (message) => send(room, 'page', message));
    this.#dialogs = new Dialogs({
      ...{ hands: seat.hands, isOperating: () => turns.isOperating(seat.session) },
      tell: (dialog) => this.page.show(dialog),
    });
    this.delivery = new Delivery(seat, { ...options, openDialog: () => this.#dialogs.open?.id ?? null });
    this.#stopAiming = seat.hands.watchAims((aim) => this.#aimed(aim));
    this.#stopMeeting = turns.watchMeetings(seat.session, (element) => this.#met(element));
    this.#stopAttending = turns.attend(seat.session, {
      begins: () => this.letGo(),
      ends: () => this.#dialogs.update(),
    });
  }

  /** Sets whether a person here drives, and so answers the dialogs of pages. */
  setDriven(isDriven: boolean): void {
    this.#dialogs.hold(isDriven);
  }

  /** Lifts all fingers, releases all keys, and gives an open dialog its default answer. */
  async letGo(): Promise<void> {
    await Promise.all([this.delivery.letGo(), this.#dialogs.letGo()]);
  }

  close(): void {
    this.#stopAiming();
    this.#stopMeeting();
    this.#stopAttending();
    this.page.close();
    this.#dialogs.hold(false);
    this.delivery.close();
  }

  #aimed(aim: Aim): void {
    this.#aim = aim;
    const now = performance.now();
    if (now - this.#aimedAt < 1000 / aimsPerSecond) return;
    this.#aimedAt = now;
    send(this.#room, 'cursor', { ...aim, met: null });
  }

  #met(element: MetElement | undefined): void {
    const aim = this.#aim;
    this.#aim = undefined;
    if (aim === undefined) return;
    const met = element === undefined ? null : { role: element.role, text: element.text };
    send(this.#room, 'cursor', { ...aim, in_ms: 0, met });
  }
}
