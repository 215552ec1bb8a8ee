import { LinkPage, ToSignIn } from './link-page.tsx';
import { service } from './steps.ts';
import { words } from './strings.ts';

export const Verify = () => (
  <LinkPage
    title={words.verifyTitle}
    submit={words.verifyButton}
    use={async (token) => {
      await service.verifyEmail({ token });
      return words.verified;
    }}
    done={<ToSignIn />}
  />
);
