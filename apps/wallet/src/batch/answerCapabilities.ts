import * as z from 'zod/mini'
import type { WalletResult } from '../extension/protocol.ts'
import { fail } from './readBatch.ts'

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))

/**
 * wallet_getCapabilities (EIP-5792): `[address, chainIds?]`, only for the requester's accounts and
 * networks.
 */
export function answerCapabilities(parameters: {
  params: unknown
  accounts: readonly string[]
  chainIds: readonly number[]
  sendsAtomically: boolean
}): WalletResult {
  const { params, accounts, chainIds, sendsAtomically } = parameters
  const parsed = z.safeParse(
    z.tuple([z.string(), z.optional(z.array(hexNumber))]),
    Array.isArray(params) && params[1] == null ? [params[0], undefined] : params,
  )
  if (!parsed.success) return fail(-32602, 'The address, or a network, is not valid')
  const [address, requestedChains] = parsed.data
  if (!accounts.some((account) => account.toLowerCase() === address.toLowerCase()))
    return fail(4100, 'The wallet has not allowed this')
  const numbers = requestedChains?.map(Number)
  const status = sendsAtomically ? 'supported' : 'unsupported'
  return {
    result: Object.fromEntries(
      chainIds
        .filter((chainId) => numbers?.includes(chainId) ?? true)
        .map((chainId) => [`0x${chainId.toString(16)}`, { atomic: { status } }]),
    ),
  }
}
