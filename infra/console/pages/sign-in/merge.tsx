import { LinkPage, ToSignIn } from './link-page.tsx';
import { service } from './steps.ts';
import { words } from './strings.ts';

export const Merge = () => (
  <LinkPage
    title={words.mergeTitle}
    submit={words.mergeButton}
    use={async (token) => {
      await service.mergeConfirm({ token });
      return words.mergeDone;
    }}
    done={<ToSignIn />}
  />
);
