import { decodeSs58Address, encodeAddress } from '@latchkey/wire/polkadot'

/** The generic prefix, which belongs to no network. */
const genericPrefix = 42

/**
 * An account's address with the generic prefix, from an address with any network's prefix;
 * undefined for any other string.
 */
export function parsePolkadotAddress(text: string): string | undefined {
  const account = decodeSs58Address(text)
  return account && encodeAddress(account, genericPrefix)
}
