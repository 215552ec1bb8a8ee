import { addressOf } from '../../parts/places.ts';
import { shortId } from '../../parts/record.tsx';

export const streamAddress = (name: string): string => addressOf(`/streams/${encodeURIComponent(name)}`);

/** Link to the events of a stream: a short name, the full one on hover. */
export const StreamLink = ({ name }: { readonly name: string }) => {
  const at = name.indexOf('-');
  return (
    <a href={streamAddress(name)} title={name}>
      <code>{`${name.slice(0, at)}-${shortId(name.slice(at + 1))}`}</code>
    </a>
  );
};
