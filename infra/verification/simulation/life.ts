/** A process between its start and its crash. Work that a crash interrupts never continues. */
export class Life {
  readonly name: string;
  /** Resolves at the crash. */
  readonly ended: Promise<'crashed'>;
  #alive = true;
  #end: () => void = () => {};

  constructor(name: string) {
    this.name = name;
    this.ended = new Promise((resolve) => {
      this.#end = () => resolve('crashed');
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  crash(): void {
    this.#alive = false;
    this.#end();
  }
}
