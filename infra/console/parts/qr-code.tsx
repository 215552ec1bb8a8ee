import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface Squares {
  readonly size: number;
  readonly path: string;
}

/** Width of the quiet zone in modules, which scanners need. */
const QUIET = 4;

async function squaresOf(text: string): Promise<Squares> {
  const { default: qrCode } = await import('qrcode');
  const { modules } = qrCode.create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const dark = Array.from({ length: size * size }, (_each, index) => index).filter(
    (index) => modules.data[index],
  );
  const path = dark.map((at) => `M${(at % size) + QUIET} ${Math.floor(at / size) + QUIET}h1v1h-1z`).join('');
  return { size: size + 2 * QUIET, path };
}

/** Dark on light in both colour schemes. `name`: the accessible name. */
export function QrCode({ text, name }: { readonly text: string; readonly name: string }) {
  const squares = useSignal<Squares | undefined>(undefined);
  useEffect(() => {
    void squaresOf(text).then((made) => (squares.value = made));
  }, [text]);
  if (squares.value === undefined) return null;
  const { size, path } = squares.value;
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={name}>
      <path class="light" d={`M0 0h${size}v${size}H0z`} />
      <path class="dark" d={path} />
    </svg>
  );
}
