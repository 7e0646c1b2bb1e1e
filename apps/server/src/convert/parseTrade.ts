import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { parseAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import { refuseTrade, type Trade } from './swapSource.ts'

/** An account or token of a network on which tokens can be exchanged. */
export type SwapAccount = { readonly chainId: ChainId; readonly address: Hex }

/** Parses a CAIP-10 id of a network with swaps, or returns a failure that explains the problem. */
export function parseAccount(
  config: Pick<Config, 'chains'>,
  { text, field }: { readonly text: string; readonly field: string },
): SwapAccount | Failure {
  const [, chain, account] = /^([a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(.{1,128})$/.exec(text) ?? []
  const address = parseAddress(account)
  if (chain === undefined || address === undefined)
    return badRequest(field, `Crypto utils error: not a CAIP-10 address: ${text.slice(0, 120)}`)
  const chainId = findSwapChain(config, chain)
  return typeof chainId === 'string' ? { chainId, address } : chainId
}

/** The chain that `text` names, if it supports swaps. */
export function findSwapChain(config: Pick<Config, 'chains'>, text: string): ChainId | Failure {
  const found = findChain(config, text)
  if ('failure' in found) return found.failure
  if (config.chains[found.chainId]?.swap === undefined)
    return refuseTrade(`Chain ID ${found.chainId} is not supported`)
  return found.chainId
}

type Texts = { readonly from: string; readonly to: string; readonly amount: string }

const maxAmount = 1n << 255n

/** Reads two tokens of one network and an amount. */
export function parseTrade(config: Pick<Config, 'chains'>, texts: Texts): Trade | Failure {
  const from = parseAccount(config, { text: texts.from, field: 'from' })
  if ('status' in from) return from
  const to = parseAccount(config, { text: texts.to, field: 'to' })
  if ('status' in to) return to
  if (from.chainId !== to.chainId)
    return badRequest('', 'Invalid parameter: `from` and `to` chain IDs must have the same value')
  const amount = BigInt(texts.amount)
  if (amount === 0n || amount >= maxAmount)
    return badRequest('amount', 'The amount must be above 0 and below 2^255')
  return { chainId: from.chainId, from: from.address, to: to.address, amount }
}
