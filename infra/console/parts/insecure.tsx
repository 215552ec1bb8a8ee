import { filled, words } from '../strings.ts';
import { Card } from './card.tsx';

/**
 * Shown instead of every page over plain http from another machine: there browsers have no locks, random ids and clipboard for
 * pages. The address stays as it is, with the token of a link.
 */
export function Insecure() {
  const { hostname: host, port, pathname, search, hash } = location;
  const local = port === '' ? '8080' : port;
  const origin = `http://127.0.0.1:${local}`;
  return (
    <main>
      <Card title={words.insecureTitle}>
        <p>{words.insecureText}</p>
        <pre>{filled(words.insecureForward, { local, port: port === '' ? '80' : port, host })}</pre>
        <p>
          <a href={`${origin}${pathname}${search}${hash}`}>{filled(words.insecureOpen, { origin })}</a>
        </p>
        <p class="hint">{words.insecureLink}</p>
      </Card>
    </main>
  );
}
