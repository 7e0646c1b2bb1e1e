import type { SocialProvider } from '@latchkey/wire'

/** The providers that speak OAuth 2. */
export type OauthProvider = Exclude<SocialProvider, 'farcaster'>
export const isOauth = (provider: SocialProvider): provider is OauthProvider =>
  provider !== 'farcaster'

/** How to talk to a provider. The operator's file may replace its URLs. */
export type ProviderFacts = {
  /**
   * `oidc`: the identity is in a signed ID token. `oauth2`: it is read with the access token at
   * `userUrl`.
   */
  readonly kind: 'oidc' | 'oauth2'
  readonly issuer: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly jwksUrl?: string
  readonly userUrl?: string
  readonly scope: string
  /** How the client proves itself at the token URL (RFC 6749, 2.3.1). */
  readonly clientAuth: 'basic' | 'post'
  /** The response arrives as a form that the provider's page posts. */
  readonly formPost?: true
  /** The parameters that prevent a silent sign-in, if the provider supports them. */
  readonly askAgain?: Readonly<Record<string, string>>
  /** The fields of the `userUrl` response with the immutable id and a name. */
  readonly user?: {
    readonly within?: string
    readonly id: string
    readonly names: readonly string[]
  }
}

/**
 * The providers' own endpoints. Google and Apple speak OpenID Connect, the others plain OAuth 2
 * with an API for the user.
 */
export const providers: Readonly<Record<OauthProvider, ProviderFacts>> = {
  google: {
    kind: 'oidc',
    issuer: 'https://accounts.google.com',
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    scope: 'openid profile',
    clientAuth: 'post',
    askAgain: { prompt: 'select_account' },
  },
  x: {
    kind: 'oauth2',
    issuer: 'https://x.com',
    authorizationUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    userUrl: 'https://api.x.com/2/users/me',
    scope: 'users.read tweet.read',
    clientAuth: 'basic',
    user: { within: 'data', id: 'id', names: ['username', 'name'] },
  },
  discord: {
    kind: 'oauth2',
    issuer: 'https://discord.com',
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    userUrl: 'https://discord.com/api/users/@me',
    scope: 'identify',
    clientAuth: 'basic',
    askAgain: { prompt: 'consent' },
    user: { id: 'id', names: ['username', 'global_name'] },
  },
  github: {
    kind: 'oauth2',
    issuer: 'https://github.com/login/oauth',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    userUrl: 'https://api.github.com/user',
    scope: 'read:user',
    clientAuth: 'post',
    askAgain: { prompt: 'select_account' },
    user: { id: 'id', names: ['login', 'name'] },
  },
  apple: {
    kind: 'oidc',
    issuer: 'https://appleid.apple.com',
    authorizationUrl: 'https://appleid.apple.com/auth/authorize',
    tokenUrl: 'https://appleid.apple.com/auth/token',
    jwksUrl: 'https://appleid.apple.com/auth/keys',
    scope: 'openid name',
    clientAuth: 'post',
    formPost: true,
  },
  facebook: {
    kind: 'oauth2',
    issuer: 'https://www.facebook.com',
    authorizationUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
    tokenUrl: 'https://graph.facebook.com/v23.0/oauth/access_token',
    userUrl: 'https://graph.facebook.com/v23.0/me?fields=id,name',
    scope: 'public_profile',
    clientAuth: 'post',
    askAgain: { auth_type: 'reauthenticate' },
    user: { id: 'id', names: ['name'] },
  },
}
