import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../testbed/index.ts';

/** The `video` object of the API's answer. */
export interface VideoBlock {
  readonly ws_url: string;
  readonly token: string;
  readonly participant_identity: string;
}

/** A participant by pictures, which can send any bytes. */
export class PictureParticipant {
  readonly socket: WebSocket;
  /** Messages from the node, by topic. */
  readonly received: { readonly topic: string; readonly message: Record<string, unknown> }[] = [];
  readonly pictures: Buffer[] = [];
  ended: string | undefined;
  private code: number | undefined;
  private seq = 0;

  constructor({ ws_url, token }: Pick<VideoBlock, 'ws_url' | 'token'>, path = 'frames') {
    this.socket = new WebSocket(`${ws_url}/${path}?access_token=${token}`);
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code) => (this.code = code));
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.pictures.push(data);
      else this.take(JSON.parse(data.toString()) as { topic?: string; payload?: string; ended?: string });
    });
  }

  static async join(video: object): Promise<PictureParticipant> {
    const participant = new PictureParticipant(video as VideoBlock);
    await once(participant.socket, 'open');
    return participant;
  }

  /** The status of a refused join; 101 if it was accepted. */
  async status(): Promise<number> {
    return Promise.race([
      once(this.socket, 'unexpected-response').then(
        ([, reply]) => (reply as { statusCode: number }).statusCode,
      ),
      once(this.socket, 'open').then(() => 101),
    ]);
  }

  closed(): Promise<number> {
    return until(async () => this.code ?? false, { limitMs: 30_000 });
  }

  say(topic: string, message: object): void {
    const payload = Buffer.from(JSON.stringify(message)).toString('base64');
    this.socket.send(JSON.stringify({ topic, payload }));
  }

  attributes(attributes: Readonly<Record<string, string>>): void {
    this.socket.send(JSON.stringify({ attributes }));
  }

  /** Sends an event; returns its sequence number. */
  input(event: object, about: object = {}): number {
    this.seq += 1;
    this.say('input', { seq: this.seq, epoch: this.epoch, event, ...about });
    return this.seq;
  }

  /** The node's answer to an event: `ok`, or the reason of the refusal. */
  answer(seq: number): Promise<string> {
    return until(
      async () => {
        const ack = this.on('input-ack').find((each) => each.seq === seq);
        return ack ? (ack.ok === true ? 'ok' : String(ack.reason)) : false;
      },
      { limitMs: 20_000 },
    );
  }

  async does(event: object, about: object = {}): Promise<string> {
    return this.answer(this.input(event, about));
  }

  /** Resolves with the next matching message about who has control. */
  async control(isWanted: (control: Record<string, unknown>) => boolean = () => true) {
    return until(
      async () => {
        const last = this.on('control').at(-1);
        return last !== undefined && isWanted(last) ? last : false;
      },
      { limitMs: 30_000 },
    );
  }

  on(topic: string): readonly Record<string, unknown>[] {
    return this.received.filter((each) => each.topic === topic).map(({ message }) => message);
  }

  leave(): void {
    this.socket.close();
  }

  private get epoch(): number {
    return Number(this.on('control').at(-1)?.epoch ?? 1);
  }

  private take({ topic, payload, ended }: { topic?: string; payload?: string; ended?: string }): void {
    if (ended !== undefined) this.ended = ended;
    if (topic === undefined || payload === undefined) return;
    const message = JSON.parse(Buffer.from(payload, 'base64').toString()) as Record<string, unknown>;
    this.received.push({ topic, message });
  }
}
