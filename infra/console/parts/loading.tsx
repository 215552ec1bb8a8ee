import { words } from '../strings.ts';

/** Seen after 200 ms: what is there sooner does not flicker. */
export const Loading = () => (
  <p class="loading" role="status">
    {words.loading}
  </p>
);
