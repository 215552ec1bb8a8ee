import { useLocation, useRoute } from 'preact-iso';
import { proxies, type Proxy } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { Checked, ProxyActs } from './proxies.tsx';
import { words } from './strings.ts';

const service = proxies(connection);

/** One saved proxy: facts, check and history. */
export function ProxyPage() {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  return (
    <Read what={id} read={() => service.get(id)}>
      {(proxy) => (
        <Page
          title={proxy.label}
          actions={<ProxyActs id={id} onDeleted={() => route(addressOf('/settings/proxies'))} />}
        >
          <What of={proxy} />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

const What = ({ of: proxy }: { readonly of: Proxy }) => (
  <Facts
    of={[
      [words.proxy, <Id id={proxy.id} isHere />],
      [words.host, <code>{`${proxy.scheme}://${proxy.host}:${proxy.port}`}</code>],
      [words.username, proxy.username],
      [words.password, proxy.has_password && words.kept],
      [words.lastCheck, proxy.last_check && <Checked of={proxy.last_check} />],
      [words.checked, proxy.last_check && <Time at={proxy.last_check.at} />],
      [words.created, <Time at={proxy.created_at} />],
      [words.changed, <Time at={proxy.updated_at} />],
    ]}
  />
);
