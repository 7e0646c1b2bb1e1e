import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { parseAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import { refuseTrade, type Trade } from './swapSource.ts'

/** An account or token of a network on which tokens can be exchanged. */
export type SwapAccount = { readonly chainId: ChainId; readonly address: Hex }

/** Parses a CAIP-10 id of a network with swaps. Throws {@link HttpFailure}. */
export function parseAccount(
  config: Pick<Config, 'chains'>,
  { text, field }: { readonly text: string; readonly field: string },
): SwapAccount {
  const [, chain, account] = /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(.{1,128})$/.exec(text) ?? []
  const address = parseAddress(account)
  if (chain === undefined || address === undefined)
    throw new HttpFailure(
      badRequest(field, `Crypto utils error: not a CAIP-10 address: ${text.slice(0, 120)}`),
    )
  return { chainId: requireSwapChain(config, chain), address }
}

/** The chain that `text` names. Throws {@link HttpFailure} if it does not support swaps. */
export function requireSwapChain(config: Pick<Config, 'chains'>, text: string): ChainId {
  const { chainId } = requireChain(config, text)
  if (config.chains[chainId]?.swap === undefined)
    throw refuseTrade(`Chain ID ${chainId} is not supported`)
  return chainId
}

type Texts = { readonly from: string; readonly to: string; readonly amount: string }

const maxAmount = 1n << 255n

/** Reads two tokens of one network and an amount. Throws {@link HttpFailure}. */
export function parseTrade(config: Pick<Config, 'chains'>, texts: Texts): Trade {
  const from = parseAccount(config, { text: texts.from, field: 'from' })
  const to = parseAccount(config, { text: texts.to, field: 'to' })
  if (from.chainId !== to.chainId) throw new HttpFailure(otherChain('to'))
  const amount = BigInt(texts.amount)
  if (amount === 0n || amount >= maxAmount)
    throw new HttpFailure(badRequest('amount', 'The amount must be above 0 and below 2^255'))
  return { chainId: from.chainId, from: from.address, to: to.address, amount }
}

/** The failure of a trade whose `from` and `other` are on different chains. */
export const otherChain = (other: 'to' | 'userAddress'): Failure =>
  badRequest('', `Invalid parameter: \`from\` and \`${other}\` chain IDs must have the same value`)
