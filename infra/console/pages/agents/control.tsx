import { useSignal } from '@preact/signals';
import { agents, type AgentSession } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = agents(connection);

type Mode = AgentSession['mode'];
const modes = Object.keys(words.modes) as readonly Mode[];

/** Session storage key of the mode to resume a session in. */
const keyOf = (id: string) => `console.mode ${id}`;

type Held = Pick<AgentSession, 'id' | 'mode'>;

/** Must be called before a session becomes `manual`: it is resumed in the mode that it has now. */
const rememberMode = ({ id, mode }: Held): void => sessionStorage.setItem(keyOf(id), mode);

/** Pauses an agent at once: a change of the mode ends its current turn. */
async function pause({ id, mode }: Held): Promise<void> {
  rememberMode({ id, mode });
  await service.mode(id, { mode: 'manual' });
}

async function goOn({ id, status }: AgentSession): Promise<string | void> {
  if (status === 'paused') {
    await service.resume(id, {});
    return words.resumeAsked;
  }
  const before = (sessionStorage.getItem(keyOf(id)) ?? 'ai') as Mode;
  await service.mode(id, { mode: before });
}

interface StopProps {
  readonly session: AgentSession;
  readonly isWorking: boolean;
}

/** Stop ends the current turn; Pause also prevents new ones until Resume. */
export function StopAndGo({ session, isWorking }: StopProps) {
  const isHeld = session.status === 'paused' || session.mode === 'manual';
  const stop = async () => {
    await pause(session);
    await goOn({ ...session, status: 'active' });
    return words.stopped;
  };
  return (
    <>
      {isWorking && !isHeld && <Act label={words.stop} act={stop} />}
      {isHeld ? (
        <Act label={words.resume} act={() => goOn(session)} />
      ) : (
        <Act label={words.pause} act={() => pause(session)} />
      )}
    </>
  );
}

/** Switch of the mode: whether the agent, a person or both may act. */
export function ModeSwitch({ session: { id, mode } }: Pick<StopProps, 'session'>) {
  const failure = useSignal<{ readonly error: unknown } | undefined>(undefined);
  const asked = useSignal<Mode | undefined>(undefined);
  const change = async (to: Mode) => {
    if (asked.value !== undefined) return;
    failure.value = undefined;
    asked.value = to;
    if (to === 'manual') rememberMode({ id, mode });
    try {
      await service.mode(id, { mode: to });
    } catch (error) {
      failure.value = { error };
    } finally {
      asked.value = undefined;
    }
  };
  return (
    <fieldset class="modes" aria-busy={asked.value !== undefined}>
      <legend>{words.mode}</legend>
      {modes.map((each) => (
        <label key={each} title={words.modeHint[each]}>
          <input
            type="radio"
            name="mode"
            checked={each === mode}
            onClick={(event) => {
              // Shown as selected only after the service has confirmed it.
              event.preventDefault();
              if (each !== mode) void change(each);
            }}
          />
          {` ${words.modes[each]}`}
        </label>
      ))}
      {failure.value && <Trouble error={failure.value.error} takesFocus />}
    </fieldset>
  );
}
