import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { filled, words } from '../strings.ts';
import { Page, useIsHeaded } from './card.tsx';
import { useSettled } from './in-order.tsx';
import { useNews, type News } from './live.ts';
import { Loading } from './loading.tsx';
import { timeText } from './record.tsx';
import { isGone, saidOf, Trouble } from './trouble.tsx';

interface ReadProps<T> {
  /** Key of what is read; a change of it reads again. */
  readonly what: string;
  readonly read: () => PromiseLike<T>;
  /** Event types that refresh it, besides every `everyMs` and after each change made in the console. */
  readonly changedBy?: readonly string[];
  readonly everyMs?: number;
  readonly children: (value: T) => ComponentChildren;
}

const LOOK_MS = 15_000;

class Reading<T> {
  readonly value = signal<{ readonly of: T } | undefined>(undefined);
  readonly failure = signal<{ readonly error: unknown } | undefined>(undefined);
  readonly staleSince = signal<number | undefined>(undefined);
  #readAt = Date.now();
  #isBusy = false;
  /** Whether it was to be read again during a read, whose answer may be from before the change that is the reason. */
  #isOutdated = false;

  /** Keeps the shown value until there is an answer. A failure keeps it too, unless the resource no longer exists. */
  async run(read: () => PromiseLike<T>): Promise<void> {
    this.#isOutdated = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      this.value.value = { of: await read() };
      this.failure.value = undefined;
      this.staleSince.value = undefined;
      this.#readAt = Date.now();
    } catch (error) {
      if (isGone(error)) this.value.value = undefined;
      if (this.value.value === undefined) this.failure.value = { error };
      else this.staleSince.value = this.#readAt;
    } finally {
      this.#isBusy = false;
    }
    if (this.#isOutdated) await this.run(read);
  }
}

/** Renders a read value, refreshes it while the tab is visible, and shows errors. */
export function Read<T>(props: ReadProps<T>) {
  const { what, read, changedBy = [], everyMs = LOOK_MS, children } = props;
  const reading = useMemo(() => new Reading<T>(), [what]);
  const run = useCallback(() => void reading.run(read), [reading]);
  const look = useCallback(() => {
    if (!document.hidden) run();
  }, [run]);
  const hear = useCallback(
    (news: News) => {
      if (news.kind === 'changed' || changedBy.includes(news.event.type)) look();
    },
    [look],
  );
  useNews(hear);
  useEffect(() => {
    run();
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [run]);
  const { value: failure } = reading.failure;
  useSettled(failure !== undefined || reading.value.value !== undefined);
  if (failure) return <Failed error={failure.error} again={run} />;
  if (reading.value.value === undefined) return <Loading />;
  const since = reading.staleSince.value;
  return (
    <>
      {since !== undefined && (
        <p class="hint" role="status">
          {filled(words.stale, { time: timeText(since) })}
        </p>
      )}
      {children(reading.value.value.of)}
    </>
  );
}

/** An error. If it replaces a whole page, it has a heading, like every page. */
export function Failed({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  if (useIsHeaded()) return <Trouble error={error} again={again} />;
  return (
    <Page title={saidOf(error).title}>
      <Trouble error={error} again={again} isTitled />
    </Page>
  );
}
