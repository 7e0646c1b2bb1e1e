import { type SocialProvider, socialProvider } from './api/auth/socialProvider.ts'

/**
 * The content of a page's fragment after a login at a provider in the page's tab. `own` is the
 * page's previous fragment.
 */
export type SocialReturn = {
  readonly provider: SocialProvider
  readonly challenge: string
  readonly own: string
}

const form = /^latchkey-login=([a-z]{1,20})\.([\w-]{43})(?:&(.*))?$/s

/** The fragment, without `#`. */
export const buildSocialReturn = ({ provider, challenge, own }: SocialReturn): string =>
  `latchkey-login=${provider}.${challenge}${own && `&${own}`}`

/** Reads such a fragment, without `#`; undefined for any other fragment. */
export function readSocialReturn(fragment: string): SocialReturn | undefined {
  const [, name, challenge, own = ''] = form.exec(fragment) ?? []
  const provider = socialProvider.safeParse(name)
  return provider.success && challenge !== undefined
    ? { provider: provider.data, challenge, own }
    : undefined
}
