import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { keys, type ApiKey } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Once } from '../../parts/once.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, timeText } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { KeyStatus } from './key-status.tsx';
import { words } from './strings.ts';

const service = keys(connection);
const changedBy = ['api_key.revoked'];

/** One API key: scopes, rotation and revocation. */
export function KeyPage() {
  const { id = '' } = useRoute().params;
  const made = useSignal<{ readonly key: string; readonly until: string } | undefined>(undefined);
  const rotate = async () => {
    const { key, previous } = await service.rotate(id);
    made.value = { key, until: previous.expires_at };
  };
  return (
    <Read what={id} read={() => service.get(id)} changedBy={changedBy}>
      {(key) => (
        <Page title={key.name} actions={key.status === 'active' ? <Changes id={id} rotate={rotate} /> : null}>
          {made.value && (
            <Once
              title={words.once}
              text={made.value.key}
              hint={filled(words.rotatedUntil, { time: timeText(made.value.until) })}
              file={words.file}
              onKept={() => (made.value = undefined)}
            />
          )}
          <What of={key} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

const Changes = ({ id, rotate }: { readonly id: string; readonly rotate: () => Promise<void> }) => (
  <>
    <Act
      label={words.rotate}
      question={{ title: words.rotateTitle, text: words.rotateText, confirm: words.rotate }}
      act={rotate}
    />
    <Act
      label={words.revoke}
      kind="danger"
      question={{ title: words.revokeTitle, text: words.revokeText, confirm: words.revoke }}
      act={() => service.revoke(id)}
    />
  </>
);

const What = ({ of: key }: { readonly of: ApiKey }) => (
  <Facts
    of={[
      [words.key, <Id id={key.id} isHere />],
      [words.ending, <code>{`${key.prefix}…${key.last4}`}</code>],
      [words.status, <KeyStatus status={key.status} />],
      [words.scopes, key.scopes.map((scope) => words.scopeNames[scope]).join(', ')],
      [words.created, <Time at={key.created_at} />],
      [words.createdBy, key.created_by?.api_key_id && <Id id={key.created_by.api_key_id} />],
      [words.lastUsed, key.last_used_at === null ? words.never : <Time at={key.last_used_at} />],
      [words.expires, key.expires_at && <Time at={key.expires_at} />],
      [words.revoked, key.revoked_at && <Time at={key.revoked_at} />],
    ]}
  />
);
