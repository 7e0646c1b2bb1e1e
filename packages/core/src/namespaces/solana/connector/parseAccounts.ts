import { decodeBase58, LatchkeyError } from '@latchkey/wire'
import { parseTexts } from '../../walletStandard/standardWallet.ts'
import type { StandardAccount } from './standardAccount.ts'

/** The largest number of accounts that are read; more than any user has in one wallet. */
const accountsLimit = 100

/**
 * The accounts of a wallet that can be used on Solana, without duplicates. Accounts of other chains
 * are ignored. Throws WALLET_ANSWER_INVALID if the value is not a list of accounts, or if address
 * and public key differ.
 */
export function parseSolanaAccounts(value: unknown): readonly StandardAccount[] {
  try {
    if (!Array.isArray(value)) throw new TypeError('Not a list')
    const accounts = value.slice(0, accountsLimit).flatMap((entry) => parseAccount(entry) ?? [])
    return accounts.filter(
      ({ address }, index) => accounts.findIndex((one) => one.address === address) === index,
    )
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

function parseAccount(source: unknown): StandardAccount | undefined {
  const { address, publicKey, chains, features } = source as Record<string, unknown>
  const known = parseTexts(chains)
  if (!known.some((chain) => chain.startsWith('solana:'))) return undefined
  const key = decodeBase58(String(address))
  if (typeof address !== 'string' || key?.length !== 32) throw new TypeError('Not an address')
  const own = publicKey as ArrayLike<unknown> | undefined
  if (own && !key.every((byte, index) => byte === own[index]))
    throw new TypeError('The public key does not match')
  return { address, chains: known, features: parseTexts(features), source }
}
