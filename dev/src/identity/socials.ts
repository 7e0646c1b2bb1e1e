/** The providers that are played, in the order in which the web app offers them, and how their clients prove themselves. */
export const clientAuth = {
  google: 'client_secret_post',
  x: 'client_secret_basic',
  discord: 'client_secret_basic',
  github: 'client_secret_post',
  apple: 'client_secret_post',
  facebook: 'client_secret_post',
} as const
export const played = Object.keys(clientAuth) as (keyof typeof clientAuth)[]

/** What a SOCIALS_FILE holds for the identity provider at `url`. */
export const describeSocials = ({ url, secret }: { url: string; secret: string }) =>
  Object.fromEntries(
    played.map((id) => [
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
    ]),
  )
