import { useEffect } from 'preact/hooks';
import type { WebhookEnvelope } from '../../../contracts/client/index.ts';

/** Something that makes lists look again: an event of an account, or a change that the console itself made. */
export type News =
  | { readonly kind: 'event'; readonly account: string; readonly event: WebhookEnvelope }
  | {
      readonly kind: 'changed';
      /** In this tab: its reader waits for what it has led to. */ readonly isHere?: true;
    };

const listeners = new Set<(news: News) => void>();
const channel = new BroadcastChannel('console.live');
channel.addEventListener('message', ({ data }: MessageEvent<News>) => hand(data));

function hand(news: News): void {
  for (const listener of listeners) listener(news);
}

/** Tells all tabs of this browser, this one too. */
export function tell(news: News): void {
  channel.postMessage(news);
  hand(news.kind === 'changed' ? { ...news, isHere: true } : news);
}

/** Hears what happens, for as long as the component is there. */
export function useNews(listener: (news: News) => void): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}
