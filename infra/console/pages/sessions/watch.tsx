import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { sessions } from '../../../../contracts/client/index.ts';
import { pageLines } from '../../parts/phone/page-lines.ts';
import { PhoneView } from '../../parts/phone/phone-view.tsx';
import { Phone } from '../../parts/phone/phone.ts';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = sessions(connection);

/** The live view, read-only. Started by a click, since the video costs the browser something. */
export function Watch({ id }: { readonly id: string }) {
  const isOn = useSignal(false);
  return (
    <section>
      <h2>{words.liveView}</h2>
      <button
        type="button"
        class="quiet"
        aria-pressed={isOn.value}
        onClick={() => (isOn.value = !isOn.value)}
      >
        {words.watch}
      </button>
      {isOn.value && <Shown id={id} />}
    </section>
  );
}

function Shown({ id }: { readonly id: string }) {
  const phone = useMemo(() => new Phone({ ticket: () => service.videoToken(id), mayTouch: false }), [id]);
  return <PhoneView phone={phone} readPage={() => pageLines(service, id)} />;
}
