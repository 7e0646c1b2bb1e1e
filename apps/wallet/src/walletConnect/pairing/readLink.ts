import { findPairingUri } from '@latchkey/walletconnect'

/** The pairing URI with which an app opened this page (`/wc?uri=…` or `/?uri=…`), else undefined; text that is none, as it is. */
export function readLink(href: string): string | undefined {
  const text = new URL(href).searchParams.get('uri')
  // Without percent-encoding, the parameters of the URI are parameters of the page.
  return text ? (findPairingUri(href) ?? text) : undefined
}
