import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { agents, type DownloadEntry } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = agents(connection);

interface FilesProps {
  readonly id: string;
}

/** Uploads to the browser, and downloads from it. */
export const Files = ({ id }: FilesProps) => (
  <details>
    <summary>{words.files}</summary>
    <Give id={id} />
    <Kept id={id} />
  </details>
);

/** Bytes per piece: the number of arguments of a call is limited. */
const PIECE = 32_768;

async function inBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

interface Answered {
  readonly status: string;
  readonly reason?: string | undefined;
}

const unavailable = ({ status, reason }: Answered): string =>
  filled(words.unavailable, { why: reason ?? status });

function Give({ id }: FilesProps) {
  const field = useId();
  const file = useSignal<File | undefined>(undefined);
  const give = async (chosen: File): Promise<string> => {
    const dataB64 = await inBase64(chosen);
    const body = { name: chosen.name, mime: chosen.type || 'application/octet-stream', dataB64 };
    const { handle, ...answered } = await service.upload(id, body);
    return handle === null
      ? unavailable(answered)
      : filled(words.given, { name: handle.name, id: handle.id });
  };
  return (
    <div class="field">
      <label for={field}>{words.give}</label>
      <input
        id={field}
        type="file"
        aria-describedby={`${field}-hint`}
        onChange={({ currentTarget: { files } }) => (file.value = files?.[0])}
      />
      <p class="hint" id={`${field}-hint`}>
        {words.giveHint}
      </p>
      <Act
        label={words.giveIt}
        isDisabled={file.value === undefined}
        act={async () => file.value && give(file.value)}
      />
    </div>
  );
}

function Kept({ id }: FilesProps) {
  const files = useSignal<readonly DownloadEntry[] | undefined>(undefined);
  const look = async (): Promise<string | void> => {
    const { files: found, ...answered } = await service.downloads(id);
    if (found === null) return unavailable(answered);
    files.value = found;
  };
  const take = async (name: string): Promise<string | void> => {
    const { file, ...answered } = await service.download(id, { name });
    if (file === null) return unavailable(answered);
    const link = document.createElement('a');
    link.href = `data:application/octet-stream;base64,${file.dataB64}`;
    link.download = file.name;
    link.click();
  };
  return (
    <>
      <h3>{words.kept}</h3>
      <Act label={words.look} act={look} />
      {files.value?.length === 0 && <p>{words.noFiles}</p>}
      <ul>
        {files.value?.map(({ name, size }) => (
          <li key={name}>
            <bdi>{name}</bdi> {filled(words.bytes, { count: size.toLocaleString() })}{' '}
            <Act label={filled(words.take, { name })} act={() => take(name)} />
          </li>
        ))}
      </ul>
    </>
  );
}
