import type { ComponentChildren } from 'preact';
import { filled, words } from '../strings.ts';
import { placeOf } from './places.ts';

/** Name and value pairs; those without a value are left out. */
export const Facts = ({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Characters shown of both ends of an id, without its prefix: the first are time, the last random. */
const SHOWN = 4;

export const shortId = (id: string): string => {
  const [, prefix = '', rest = id] = /^([a-z]+_)(.*)$/.exec(id) ?? [];
  return rest.length <= 3 * SHOWN ? id : `${prefix}${rest.slice(0, SHOWN)}…${rest.slice(-SHOWN)}`;
};

interface IdProps {
  readonly id: string;
  /** The id prefix of its kind, if clients choose the ids. */
  readonly kind?: string;
  /** On its own page it is not a link. */
  readonly isHere?: boolean;
}

/** An id: short, full on hover, linked to its page if there is one, with a copy button. */
export function Id({ id, kind = id, isHere = false }: IdProps) {
  const href = isHere ? undefined : placeOf(id, kind);
  const short = <code title={id}>{shortId(id)}</code>;
  return (
    <span class="id">
      {href === undefined ? short : <a href={href}>{short}</a>}
      <button
        type="button"
        class="icon"
        aria-label={filled(words.copyOf, { id })}
        title={words.copy}
        onClick={() => void navigator.clipboard.writeText(id).catch(() => undefined)}
      />
    </span>
  );
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const timeText = (at: string | number | Date): string => moment.format(new Date(at));

/** A time in the viewer's time zone, with the service's ISO text as its title. */
export const Time = ({ at }: { readonly at: string | null | undefined }) =>
  at === null || at === undefined ? null : (
    <time dateTime={at} title={at}>
      {timeText(at)}
    </time>
  );

const units = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration in two units at most: `1 h 4 min`, `850 ms`. */
export function durationText(ms: number): string {
  const index = units.findIndex(([, size]) => ms >= size);
  const [unit, size] = units[index] ?? ['ms', 1];
  const next = units[index + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % size) / next[1]);
  if (unit === 's') return `${(ms / size).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / size)} ${unit}${next === undefined || rest === 0 ? '' : ` ${rest} ${next[0]}`}`;
}

/** Meaning of a status, which determines its shape and colour. */
export type Tone = 'good' | 'busy' | 'bad' | 'over' | 'wait';

/** A status as shape, word and colour. */
export const Status = ({ tone, word }: { readonly tone: Tone; readonly word: string }) => (
  <span class={`status ${tone}`}>{word}</span>
);

/** A value as formatted JSON. */
export const Json = ({ value }: { readonly value: unknown }) => (
  <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
);
