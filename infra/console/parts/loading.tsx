import { words } from '../strings.ts';

/** Visible after 200 ms, so that fast loads do not flicker. */
export const Loading = () => (
  <p class="loading" role="status">
    {words.loading}
  </p>
);
