import { useSignal } from '@preact/signals';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { Loading } from './loading.tsx';

/** Maximum time for which a part delays the parts after it, in milliseconds. Then it is moved to the end. */
const PATIENCE_MS = 3_000;

type State = 'awaited' | 'read' | 'late' | 'came';

const Settled = createContext<() => void>(() => undefined);

/** Reports to `InOrder` that the read of the part around this has succeeded or failed. */
export function useSettled(isSettled: boolean): void {
  const settled = useContext(Settled);
  useLayoutEffect(() => {
    if (isSettled) settled();
  }, [isSettled]);
}

interface InOrderProps {
  /** Each part reads its content by one `Read`. */
  readonly parts: readonly ComponentChildren[];
}

/** Parts of a page. Each is shown once all parts before it have been read, so that no visible part moves. */
export function InOrder({ parts }: InOrderProps) {
  const states = useSignal<readonly State[]>(parts.map(() => 'awaited'));
  useEffect(() => {
    const giveUp = () => (states.value = states.value.map((state) => (state === 'awaited' ? 'late' : state)));
    const timer = setTimeout(giveUp, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const settle = (at: number) => {
    const { [at]: state } = states.value;
    states.value = states.value.with(at, state === 'late' || state === 'came' ? 'came' : 'read');
  };
  const awaited = states.value.indexOf('awaited');
  return (
    <div class="parts">
      {parts.map((part, index) => (
        <div key={index} class={states.value[index]} hidden={awaited !== -1 && index > awaited}>
          <Part onSettled={() => settle(index)}>{part}</Part>
        </div>
      ))}
      {states.value.includes('late') && <Loading />}
    </div>
  );
}

interface PartProps {
  readonly onSettled: () => void;
  readonly children: ComponentChildren;
}

const Part = ({ onSettled, children }: PartProps) => (
  <Settled.Provider value={useMemo(() => onSettled, [])}>{children}</Settled.Provider>
);
