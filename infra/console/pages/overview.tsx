import { Card } from '../parts/form.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import { filled, words } from '../strings.ts';

const things = [
  { href: '/reference', name: words.makeKey, text: words.makeKeyText },
  { href: '/console/settings/second-factor', name: words.protect, text: words.protectText },
  { href: '/v1/status', name: words.seeStatus, text: words.seeStatusText },
] as const;

export const Overview = () => (
  <SignedIn>
    {({ email, tier }) => (
      <Card title={words.overview}>
        <p>{filled(words.overviewOf, { email, tier })}</p>
        <h2>{words.threeThings}</h2>
        <ul class="things">
          {things.map(({ href, name, text }) => (
            <li key={href}>
              <a href={href} target={href.startsWith('/console') ? undefined : '_self'}>
                {name}
              </a>
              <p class="hint">{text}</p>
            </li>
          ))}
        </ul>
      </Card>
    )}
  </SignedIn>
);
