import { authorizationServerAt } from '../contracts/resources/device-grant.ts';
import type { Call } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';

/** @param baseUrl the service's public base URL; default: the requested one */
export const oauthReads = (baseUrl: string | undefined) => ({
  'oauth.metadata': {
    run: async ({ request }: Call<'oauth.metadata', Reader, never>) => ({
      body: authorizationServerAt(baseUrl ?? `http://${request.header('host') ?? 'localhost'}`),
    }),
  },
});
