import { signal } from '@preact/signals';
import { area } from '../../../../contracts/client/area.ts';
import { Connection, type Fetch } from '../../../../contracts/client/index.ts';
import { operatorRows, type OperatorApi } from '../../../../contracts/operator.ts';
import { tell } from '../../parts/live.ts';

const KEY = 'console.operator_token';

/** The token in the link's fragment is stored for this tab only, and removed from the address bar. */
function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

const token = takeToken();

// A link that is pasted into a tab of this console changes the fragment alone.
addEventListener('hashchange', () => {
  if (takeToken() !== token) location.reload();
});

/** Whether this tab was opened by a link, or is a further one. */
export const hasToken = token !== undefined;

/** False once the listener has rejected the link. */
export const isAdmitted = signal(hasToken);

const fetchAsOperator: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.status === 401) isAdmitted.value = false;
  if (response.ok && init.method !== 'GET') tell({ kind: 'changed' });
  return response;
};

/** API of the listener that served this page. */
export const service = area<OperatorApi>(
  new Connection({ baseUrl: location.origin, apiKey: token, fetch: fetchAsOperator }),
  'operator',
  operatorRows,
);
