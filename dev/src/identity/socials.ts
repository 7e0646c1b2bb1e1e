/** The simulated providers, in the order of the web app, and how their clients authenticate. */
export const clientAuth = {
  google: 'client_secret_post',
  x: 'client_secret_basic',
  discord: 'client_secret_basic',
  github: 'client_secret_post',
  apple: 'client_secret_post',
  facebook: 'client_secret_post',
} as const
export const played = Object.keys(clientAuth) as (keyof typeof clientAuth)[]

/** Location of Farcaster's registries on a local chain. */
export type FarcasterRegistry = { readonly rpcUrl: string; readonly registry: string }

/**
 * The content of a SOCIALS_FILE for the identity provider at `url`, in the order of the providers.
 */
export function describeSocials({
  url,
  secret,
  farcaster,
}: {
  url: string
  secret: string
  farcaster?: FarcasterRegistry
}): Record<string, object> {
  const entries = played.map((id): [string, object] => [
    id,
    {
      clientId: id,
      clientSecret: secret,
      issuer: url,
      authorizationUrl: `${url}/auth`,
      tokenUrl: `${url}/token`,
      jwksUrl: `${url}/jwks`,
      userUrl: `${url}/users/${id}`,
    },
  ])
  if (farcaster) {
    const { rpcUrl, registry } = farcaster
    const own = { relayUrl: url, appUrl: url, rpcUrl, idRegistry: registry, keyRegistry: registry }
    entries.splice(played.indexOf('github'), 0, ['farcaster', own])
  }
  return Object.fromEntries(entries)
}
