import type { ControlMessage, ControlRequest, InputMessage } from '../../../../contracts/resources/room.ts';

export type PersonEvent = InputMessage['event'];

interface Told {
  /** The newest picture of the browser, as an address for an `img`. */
  readonly picture: (url: string) => void;
  readonly control: (control: ControlMessage) => void;
  readonly ended: () => void;
}

/** A room of a browser, by the socket that has pictures: it needs nothing but what brought this page here. */
export class Room {
  readonly #clientId = crypto.randomUUID();
  readonly #socket: WebSocket;
  readonly #told: Told;
  #seq = 0;
  #epoch = 1;
  #shown = '';
  #isOver = false;
  #beating: ReturnType<typeof setInterval> | undefined;

  /** `at`: the address and the token that a link has opened. */
  constructor(at: { readonly ws_url: string; readonly token: string }, told: Told) {
    this.#told = told;
    this.#socket = new WebSocket(`${at.ws_url}/frames?access_token=${encodeURIComponent(at.token)}`);
    this.#socket.binaryType = 'blob';
    this.#socket.onopen = () =>
      this.#socket.send(JSON.stringify({ attributes: { client_id: this.#clientId } }));
    this.#socket.onclose = () => this.#end();
    this.#socket.onmessage = ({ data }: MessageEvent<Blob | string>) =>
      typeof data === 'string' ? this.#heard(data) : this.#show(data);
  }

  send(event: PersonEvent): void {
    const topic = event.type === 'touchMove' ? 'input-moves' : 'input';
    this.#say(topic, { epoch: this.#epoch, time: Math.round(performance.now()), event });
  }

  ask(type: ControlRequest['type']): void {
    this.#say('control', { type });
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#beating);
    this.#socket.close();
    URL.revokeObjectURL(this.#shown);
  }

  #say(topic: string, message: object): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const said = { seq: (this.#seq += 1), client_id: this.#clientId, ...message };
    const bytes = new TextEncoder().encode(JSON.stringify(said));
    this.#socket.send(JSON.stringify({ topic, payload: btoa(String.fromCharCode(...bytes)) }));
  }

  #show(picture: Blob): void {
    URL.revokeObjectURL(this.#shown);
    this.#shown = URL.createObjectURL(picture);
    this.#told.picture(this.#shown);
  }

  #heard(text: string): void {
    const message = JSON.parse(text) as { topic?: string; payload?: string; ended?: string };
    if (message.ended !== undefined) this.#end();
    else if (message.topic === 'control' && message.payload !== undefined)
      this.#controlled(JSON.parse(textIn(message.payload)) as ControlMessage);
  }

  /** Who has the controls, or waits for them, keeps them by saying something. */
  #controlled(control: ControlMessage): void {
    this.#epoch = control.epoch;
    clearInterval(this.#beating);
    const beat = () => this.send({ type: 'ping', timestamp: Date.now() });
    if (control.pair?.client_id) this.#beating = setInterval(beat, control.heartbeat_ms / 3);
    this.#told.control(control);
  }

  #end(): void {
    clearInterval(this.#beating);
    if (!this.#isOver) this.#told.ended();
    this.#isOver = true;
  }
}

const textIn = (payload: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0)));
