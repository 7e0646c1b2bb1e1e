import * as z from 'zod/mini'

/**
 * Providers of social login, in the order in which they are offered unless an operator or an app
 * changes it.
 */
export const socialProvider = z.enum([
  'google',
  'x',
  'discord',
  'farcaster',
  'github',
  'apple',
  'facebook',
])
export type SocialProvider = z.infer<typeof socialProvider>

/** The providers among names, in their order; unknown names are omitted. */
export const readSocials = (names: readonly string[]): SocialProvider[] =>
  names.flatMap((name) => socialProvider.options.filter((each) => each === name))

/**
 * `GET /v1/socials`: the providers for which this server has credentials, in display order. An
 * older page ignores unknown providers.
 */
export const getSocialsRoute = {
  method: 'GET',
  path: '/v1/socials',
  result: z.object({ socials: z.array(z.string()) }),
} as const
