import type { HeldDialog } from '../../../contracts/resources/room.ts';
import type { Hands } from '../node/driver.ts';

export interface DialogsOptions {
  readonly hands: Pick<Hands, 'holdDialogs'>;
  /** Whether an operation runs, whose dialogs are answered at once. */
  readonly isOperating: () => boolean;
  /** Called when a dialog opens, and with null when it has been answered. */
  readonly tell: (dialog: HeldDialog | null) => void;
}

/** Keeps the dialogs of a browser open while a person drives and no operation runs; all others are answered at once. */
export class Dialogs {
  /** The dialog that is open. */
  open: HeldDialog | null = null;
  readonly #options: DialogsOptions;
  #isDriven = false;
  /** Ends the holding; undefined if dialogs are not held. */
  #stop: (() => Promise<void>) | undefined;

  constructor(options: DialogsOptions) {
    this.#options = options;
  }

  /** Sets whether a person drives. */
  hold(isDriven: boolean): void {
    this.#isDriven = isDriven;
    this.update();
  }

  /** Called at the end of operations. */
  update(): void {
    const isHeld = this.#isDriven && !this.#options.isOperating();
    if (isHeld) this.#stop ??= this.#options.hands.holdDialogs((dialog) => this.#changed(dialog));
    else void this.#answer();
  }

  /** Resolves once an open dialog has got its default answer. */
  async letGo(): Promise<void> {
    const answered = this.#answer();
    this.update();
    await answered;
  }

  #answer(): Promise<void> {
    const stop = this.#stop;
    this.#stop = undefined;
    // A browser that does not answer has ended, or gives the default answer by itself.
    const answered = stop?.().catch(() => undefined) ?? Promise.resolve();
    this.#changed(null);
    return answered;
  }

  #changed(dialog: HeldDialog | null): void {
    if (dialog === null && this.open === null) return;
    this.open = dialog;
    this.#options.tell(dialog);
  }
}
