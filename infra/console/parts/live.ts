import { useEffect } from 'preact/hooks';
import type { WebhookEnvelope } from '../../../contracts/client/index.ts';

/** A reason to refresh lists: an event of an account, or a change made in the console. */
export type News =
  | { readonly kind: 'event'; readonly account: string; readonly event: WebhookEnvelope }
  | {
      readonly kind: 'changed';
      /** Made in this tab, whose user waits for the effect. */ readonly isHere?: true;
    };

const listeners = new Set<(news: News) => void>();
const channel = new BroadcastChannel('console.live');
channel.addEventListener('message', ({ data }: MessageEvent<News>) => hand(data));

function hand(news: News): void {
  for (const listener of listeners) listener(news);
}

/** Broadcasts to all tabs of this browser, including this one. */
export function tell(news: News): void {
  channel.postMessage(news);
  hand(news.kind === 'changed' ? { ...news, isHere: true } : news);
}

/** Calls the listener while the component is mounted. */
export function useNews(listener: (news: News) => void): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}
