import { ServiceError, legal } from '../../../contracts/client/index.ts';
import { connection, termsRevision } from '../service.ts';
import { filled, words } from '../strings.ts';
import { Act } from './act.tsx';
import { Card } from './card.tsx';

/** Shown instead of every page until the current terms are accepted: nothing else is answered before. */
export const Terms = () => (
  <Card title={words.termsTitle}>
    <p>{filled(words.termsText, { revision: termsRevision })}</p>
    <Act label={words.termsAccept} kind="main" act={accept} />
  </Card>
);

/** Then loads the page again, since everything in it was refused. A page that is older than the terms gets their revision so. */
async function accept(): Promise<void> {
  try {
    await legal(connection).accept({ revision: termsRevision });
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.is('validation-failed')) throw error;
  }
  location.reload();
}
