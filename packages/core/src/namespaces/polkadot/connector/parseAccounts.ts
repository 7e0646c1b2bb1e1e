import { type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import { decodeSs58Address } from '@latchkey/wire/polkadot'

/** The largest number of accounts that are read; more than any user has in one wallet. */
const accountsLimit = 1_000

/**
 * A parsed account: its 32 bytes, the address in the wallet's format, and its one network, if it is
 * limited to one.
 */
export type InjectedAccount = {
  readonly account: Uint8Array
  readonly address: string
  readonly reference?: string
}

/**
 * The accounts of a wallet without duplicates. Such wallets also list accounts of EVM networks,
 * which are left out. Throws WALLET_ANSWER_INVALID if the value is not a list of accounts.
 */
export function parsePolkadotAccounts(value: unknown): readonly InjectedAccount[] {
  try {
    if (!Array.isArray(value)) throw new TypeError('Not a list')
    const accounts = value.slice(0, accountsLimit).flatMap((entry) => parseAccount(entry) ?? [])
    const keys = accounts.map(({ account, reference }) => `${account} ${reference}`)
    return accounts.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
  } catch (cause) {
    throw new LatchkeyError('WALLET_ANSWER_INVALID', { cause })
  }
}

function parseAccount(entry: unknown): InjectedAccount | undefined {
  const { address, type, genesisHash } = entry as Record<string, unknown>
  if (type === 'ethereum') return undefined
  if (typeof address !== 'string') throw new TypeError('Not an address')
  if (/^0x[0-9a-f]{40}$/i.test(address)) return undefined
  const account = decodeSs58Address(address)
  if (!account) throw new TypeError('Not an address')
  const reference = typeof genesisHash === 'string' ? genesisHash.slice(2, 34).toLowerCase() : ''
  return { account, address, ...(reference !== '' && { reference }) }
}

/** Whether an account can be used on a network. */
export const isOnChain = ({ reference }: InjectedAccount, chainId: ChainId): boolean =>
  reference === undefined || parseChainId(chainId).reference === reference
