import { Card } from '../../parts/card.tsx';
import { addressOf, base } from '../../parts/places.ts';
import { me } from '../../parts/signed-in.tsx';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const things = [
  { href: '/reference', name: words.makeKey, text: words.makeKeyText },
  { href: addressOf('/settings/second-factor'), name: words.protect, text: words.protectText },
  { href: '/v1/status', name: words.seeStatus, text: words.seeStatusText },
] as const;

export const Overview = () => (
  <Card title={words.overview}>
    <p>{filled(words.overviewOf, { email: me.value?.email ?? '', tier: me.value?.tier ?? '' })}</p>
    <h2>{words.threeThings}</h2>
    <ul class="things">
      {things.map(({ href, name, text }) => (
        <li key={href}>
          <a href={href} target={href.startsWith(base) ? undefined : '_self'}>
            {name}
          </a>
          <p class="hint">{text}</p>
        </li>
      ))}
    </ul>
  </Card>
);
