import { Service } from 'service/client';
import { PictureParticipant } from '../live-view/picture-participant.ts';
import { until } from '../testbed/index.ts';

const client_id = 'a-person';

/** A person who opened a control link without an account, and took control. */
export interface Person {
  tap(x: number, y: number): Promise<void>;
  /** Taps a field and types into it when it has the focus. `kind`: the type of the input. */
  fill(kind: string, x: number, y: number, text: string): Promise<void>;
  giveBack(): Promise<void>;
  /** Closes the tab. */
  leave(): void;
}

/** Kind of the field that has the focus. */
const keyboardOf = (page: Record<string, unknown> = {}) =>
  (page.keyboard as { readonly kind: string } | null | undefined)?.kind;

const tokenIn = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';

/** Opens a link; rejects if it was revoked. */
export const openLink = (baseUrl: string, link: string) =>
  new Service({ baseUrl, apiKey: 'none' }).agentSessionLinks.open({ token: tokenIn(link) });

/** Opens a link as the console does, and resolves when the person has control. */
export async function takesOver(baseUrl: string, link: string): Promise<Person> {
  const { video } = await openLink(baseUrl, link);
  const participant = await PictureParticipant.join(video);
  participant.attributes({ client_id });
  await participant.control(({ mode }) => mode === 'pair');
  participant.say('control', { seq: 0, type: 'takeover', client_id });
  const isKind = (kind: string) => (control: Record<string, unknown>) =>
    (control.pair as { kind?: string } | null)?.kind === kind;
  await participant.control(isKind('human-driving'));
  /** Touches are refused while an operation runs in the browser, so it retries. */
  const does = async (event: object): Promise<void> => {
    await until(
      async () => {
        const outcome = await participant.does(event);
        if (outcome !== 'ok' && outcome !== 'busy') throw new Error(`The node said: ${outcome}`);
        return outcome === 'ok';
      },
      { limitMs: 20_000 },
    );
  };
  return {
    tap: (x, y) => does({ type: 'tap', x, y }),
    fill: async (kind, x, y, text) => {
      await does({ type: 'tap', x, y });
      await until(() => keyboardOf(participant.on('page').at(-1)) === kind, { limitMs: 20_000 });
      await does({ type: 'text', text });
    },
    giveBack: async () => {
      participant.say('control', { seq: 0, type: 'handback', client_id });
      await participant.control(isKind('ai-driving'));
      participant.leave();
    },
    leave: () => participant.leave(),
  };
}
