import { useSignal, type Signal } from '@preact/signals';
import type { TargetedPointerEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { agentSessionLinks } from '../../../../contracts/client/index.ts';
import type { ControlMessage } from '../../../../contracts/resources/room.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { open as service } from '../../service.ts';
import { Room, type PersonEvent } from './room.ts';
import { words } from './strings.ts';

/** What a link opens: a room, by its address and a token for it. */
interface OpenedLink {
  readonly right: 'watch' | 'control';
  readonly video: { readonly ws_url: string; readonly token: string };
}

/** What the address has behind `#`, which is taken out of the address bar at once. */
function takeHash(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}

/** A browser that was handed to a person by a link: they need no account. It asks for a click, so that a scanner of links opens nothing. */
export function Live() {
  const token = useMemo(takeHash, []);
  const opened = useSignal<OpenedLink | undefined>(undefined);
  if (opened.value !== undefined) return <Screen opened={opened.value} />;
  const open = async () => {
    opened.value = await agentSessionLinks(service).open({ token });
  };
  return (
    <Card title={words.title}>
      {token === '' ? (
        <p>{words.noLink}</p>
      ) : (
        <Form submit={words.open} onSubmit={open} says={{ 'invalid-auth-token': words.linkOver }}>
          <p>{words.text}</p>
        </Form>
      )}
    </Card>
  );
}

function Screen({ opened: { right, video } }: { readonly opened: OpenedLink }) {
  const picture = useSignal('');
  const control = useSignal<ControlMessage | undefined>(undefined);
  const isOver = useSignal(false);
  const room = useRef<Room | undefined>(undefined);
  useEffect(() => {
    const own = new Room(video, {
      picture: (url) => void (picture.value = url),
      control: (said) => void (control.value = said),
      ended: () => void (isOver.value = true),
    });
    room.current = own;
    return () => own.close();
  }, []);
  if (isOver.value)
    return (
      <Card title={words.title}>
        <p role="status">{words.over}</p>
      </Card>
    );
  const mayDrive = right === 'control';
  return (
    <Card title={words.title}>
      <p role="status">{stateIn(control.value)}</p>
      {mayDrive && <Controls control={control.value} room={() => room.current} />}
      <Phone picture={picture} send={(event) => mayDrive && room.current?.send(event)} />
      {mayDrive && <Typing send={(event) => room.current?.send(event)} />}
    </Card>
  );
}

const stateIn = (control: ControlMessage | undefined): string =>
  control === undefined
    ? words.coming
    : control.mode === 'pair' && control.pair?.kind !== 'human-driving'
      ? words.agentDrives
      : words.youDrive;

interface ControlsProps {
  readonly control: ControlMessage | undefined;
  readonly room: () => Room | undefined;
}

function Controls({ control, room }: ControlsProps) {
  if (control?.mode !== 'pair') return null;
  const isDriving = control.pair?.kind === 'human-driving';
  return (
    <div class="buttons">
      <button type="button" onClick={() => room()?.ask(isDriving ? 'handback' : 'takeover')}>
        {isDriving ? words.giveBack : words.takeOver}
      </button>
    </div>
  );
}

interface PhoneProps {
  readonly picture: Signal<string>;
  readonly send: (event: PersonEvent) => void;
}

/** The window as it is, and a finger on it. */
function Phone({ picture, send }: PhoneProps) {
  const isDown = useRef(false);
  const pointOf = ({ currentTarget, clientX, clientY }: TargetedPointerEvent<HTMLImageElement>) => {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const scale = currentTarget.naturalWidth / width;
    return { x: Math.round((clientX - left) * scale), y: Math.round((clientY - top) * scale), touchId: 0 };
  };
  const touch =
    (type: 'touchStart' | 'touchMove' | 'touchEnd') => (event: TargetedPointerEvent<HTMLImageElement>) => {
      if (type !== 'touchStart' && !isDown.current) return;
      isDown.current = type !== 'touchEnd';
      if (type === 'touchStart') event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
      send({ type, ...pointOf(event) });
    };
  return (
    <img
      class="phone"
      alt={words.picture}
      draggable={false}
      src={picture.value === '' ? undefined : picture.value}
      onPointerDown={touch('touchStart')}
      onPointerMove={touch('touchMove')}
      onPointerUp={touch('touchEnd')}
      onPointerCancel={touch('touchEnd')}
    />
  );
}

/** What is written goes where the page has the focus. */
function Typing({ send }: Pick<PhoneProps, 'send'>) {
  const text = useSignal('');
  const type = async () => {
    send({ type: 'text', text: text.value });
    text.value = '';
  };
  const press = (key: string) => {
    send({ type: 'keyDown', key });
    send({ type: 'keyUp', key });
  };
  return (
    <>
      <Form submit={words.type} onSubmit={type}>
        <Field label={words.typed} value={text} autocomplete="off" />
      </Form>
      <div class="buttons">
        {['Enter', 'Backspace', 'Tab'].map((key) => (
          <button key={key} type="button" class="quiet" onClick={() => press(key)}>
            {key}
          </button>
        ))}
      </div>
    </>
  );
}
