import type { SocialProvider } from './socialProvider.ts'

/**
 * Display names of the providers. Separate from their schema, because the names are shown before
 * the schemas are loaded.
 */
export const providerNames: Readonly<Record<SocialProvider, string>> = {
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
}
