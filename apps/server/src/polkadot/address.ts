import { decodeAddress, encodeAddress } from '@latchkey/wire/polkadot'

/** The prefix that means no network. */
const genericPrefix = 42

/**
 * An account's address with the generic prefix, whichever network's it was given with; undefined
 * for any other text.
 */
export function parsePolkadotAddress(text: string): string | undefined {
  const account = decodeAddress(text)
  return account && encodeAddress(account, genericPrefix)
}
