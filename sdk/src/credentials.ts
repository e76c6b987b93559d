import { AisleError } from './errors.ts';
import type { Credentials } from './options.ts';

/** The headers that authenticate a request. */
export type Authorizer = {
  headers(): Promise<Record<string, string>>;
  /** Discards the access token that the API has rejected. Returns whether there can be a new one. */
  renew(rejected: Record<string, string>): boolean;
};

export type AccessToken = { access_token: string; expires_in: number };

/**
 * Exchanges client credentials when the first request needs a token, and again before the token expires. Requests that
 * need a token at the same time share one exchange.
 */
export function createAuthorizer(
  credentials: Credentials,
  exchange: (form: Record<string, string>) => Promise<Partial<AccessToken> | null>,
): Authorizer {
  const { token, clientId, clientSecret } = credentials;
  if (clientId !== undefined) {
    const scope = 'scope' in credentials ? credentials.scope : undefined;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return createRenewing(() => exchange(scope === undefined ? form : { ...form, scope }));
  }
  if (token === undefined) return { headers: async () => ({}), renew: () => false };
  if (typeof token === 'string') return { headers: async () => bearer(token), renew: () => false };
  return { headers: async () => bearer(await token()), renew: () => false };
}

function createRenewing(exchange: () => Promise<Partial<AccessToken> | null>): Authorizer {
  let current: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;
  const renew = async () => {
    try {
      const { access_token, expires_in } = (await exchange()) ?? {};
      if (typeof access_token !== 'string')
        throw new AisleError('The response to the credentials has no access token.');
      // A tenth of the lifetime, so that a token never expires on the way to the server.
      current = { token: access_token, renewAt: Date.now() + Number(expires_in) * 900 };
      return access_token;
    } finally {
      pending = undefined;
    }
  };
  return {
    async headers() {
      if (current && Date.now() < current.renewAt) return bearer(current.token);
      pending ??= renew();
      return bearer(await pending);
    },
    renew(rejected) {
      if (current && rejected['authorization'] === `Bearer ${current.token}`) current = undefined;
      return true;
    },
  };
}

function bearer(token: string): Record<string, string> {
  // A token from a file can end with a line break. The runtime's own error would contain the token.
  const text = token.trim();
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new AisleError('The token is empty, or contains spaces, line breaks or characters that no token has.');
  }
  return { authorization: `Bearer ${text}` };
}
