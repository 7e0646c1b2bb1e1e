import { findPairingUri } from '@latchkey/walletconnect'

/**
 * Reads the parameter `uri` with which an app opened this page (`/wc?uri=…` or `/?uri=…`): the
 * pairing URI in it, or the whole value. Undefined if the parameter is missing.
 */
export function readLink(href: string): string | undefined {
  const text = new URL(href).searchParams.get('uri')
  // Without percent-encoding, the parameters of the URI are parameters of the page.
  return text ? (findPairingUri(href) ?? text) : undefined
}
