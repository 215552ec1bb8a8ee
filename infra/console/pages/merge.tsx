import { callOpen } from '../api.ts';
import { LinkPage, ToSignIn } from '../parts/link-page.tsx';
import { words } from '../strings.ts';

export const Merge = () => (
  <LinkPage
    title={words.mergeTitle}
    submit={words.mergeButton}
    use={async (token) => {
      await callOpen('POST', '/v1/auth/merge/confirm', { token });
      return words.mergeDone;
    }}
    done={<ToSignIn />}
  />
);
