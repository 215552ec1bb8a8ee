import { callOpen } from '../api.ts';
import { LinkPage, ToSignIn } from '../parts/link-page.tsx';
import { words } from '../strings.ts';

export const Verify = () => (
  <LinkPage
    title={words.verifyTitle}
    submit={words.verifyButton}
    use={async (token) => {
      await callOpen('POST', '/v1/auth/verify-email', { token });
      return words.verified;
    }}
    done={<ToSignIn />}
  />
);
