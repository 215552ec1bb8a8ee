import { authorizationServerAt } from '../contracts/resources/device-grant.ts';

/** @param publicUrl the service's public base URL, without a final slash: the issuer */
export const oauthReads = (publicUrl: string) => ({
  'oauth.metadata': {
    run: async () => ({ body: authorizationServerAt(publicUrl) }),
  },
});
