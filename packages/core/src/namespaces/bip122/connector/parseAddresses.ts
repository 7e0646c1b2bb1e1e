import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { BitcoinNetwork } from '@latchkey/wire/bitcoin'
import { toWalletError } from '../../../connection/connectors/walletError.ts'
import { findBitcoinNetwork, findNetworks, formatBitcoinAddress } from '../addresses.ts'
import type { BrowserWallet, WalletAddress } from './browserWallet.ts'

/** The largest number of addresses that are read; more than any user has in one wallet. */
const addressesLimit = 100

/** An address with the networks that it can belong to. */
export type ParsedAddress = WalletAddress & { networks: readonly BitcoinNetwork[] }

/**
 * The Bitcoin addresses in a wallet's result, without duplicates, payment addresses first. Anything
 * else is ignored. If a wallet does not report the purpose of its addresses, Taproot addresses hold
 * inscriptions if there are addresses of other types too. Throws WALLET_ANSWER_INVALID, or the
 * error that a wallet returned in place of addresses.
 */
export function parseAddresses(
  wallet: Pick<BrowserWallet, 'readAddresses'>,
  answer: unknown,
): readonly ParsedAddress[] {
  try {
    const found = new Map<string, ParsedAddress>()
    const raw = wallet.readAddresses(answer).slice(0, addressesLimit)
    const hasOther = raw.some(({ address }) => typeof address === 'string' && !isTaproot(address))
    for (const { address, purpose, publicKey, source } of raw) {
      const networks = typeof address === 'string' ? findNetworks(address) : []
      if (typeof address !== 'string' || networks.length === 0) continue
      const own = formatBitcoinAddress(address)
      const isOrdinals =
        purpose === 'ordinals' || (purpose === undefined && isTaproot(own) && hasOther)
      const known: ParsedAddress = {
        address: own,
        networks,
        purpose: isOrdinals ? 'ordinals' : 'payment',
        ...(publicKey && /^[0-9a-f]{64,66}$/i.test(publicKey) && { publicKey }),
        ...(source !== undefined && { source }),
      }
      if (purpose !== 'stacks' && !found.has(own)) found.set(own, known)
    }
    return [...found.values()].sort((one, other) => rank(one) - rank(other))
  } catch (cause) {
    // Any other error comes from the wallet: some wallets return their error as the result.
    if (!(cause instanceof Error)) throw toWalletError(cause, 'connect')
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

/** Whether an address can belong to a network. */
export const isOnNetwork = ({ networks }: ParsedAddress, chainId: ChainId): boolean =>
  networks.includes(findBitcoinNetwork({ caipNetworkId: chainId }))

/** Addresses in the format of WalletConnect's `getAccountAddresses`. */
export const formatAddresses = (addresses: readonly ParsedAddress[]) =>
  addresses.map(({ address, publicKey, purpose }) => ({
    address,
    ...(publicKey && { publicKey }),
    intention: purpose === 'payment' ? 'payment' : 'ordinal',
  }))

const rank = ({ purpose }: WalletAddress) => (purpose === 'payment' ? 0 : 1)

const isTaproot = (address: string) => /^(bc|tb|bcrt)1p/i.test(address)
