import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { findChain } from '../config.ts'
import { currentChain } from '../state.ts'
import { invalidParams } from './parameters.ts'
import type { PreparedRequest, WalletRequest } from './walletRequest.ts'

const schema = z.array(
  z.object({
    chainId: z.string().check(z.regex(/^0x[0-9a-f]{1,12}$/i)),
    chainName: z.optional(z.string()),
    rpcUrls: z.optional(z.array(z.string())),
  }),
)

/**
 * wallet_switchEthereumChain (EIP-3326) and wallet_addEthereumChain (EIP-3085): only configured
 * networks exist.
 */
export function prepareChain({
  call,
  config,
  state,
  switchTo,
}: WalletRequest): PreparedRequest | { result: null } {
  const parsed = z.safeParse(schema, call.params)
  const addedChain = parsed.success ? parsed.data[0] : undefined
  if (!addedChain) throw invalidParams('chainId')
  const chainId = Number(addedChain.chainId)
  const now = currentChain(config, state)
  const chain = findChain(config, chainId)
  if (chainId === now.chainId) return { result: null }
  if (chain)
    return {
      title: 'Switch network?',
      rows: [
        { label: 'From', value: now.name },
        { label: 'To', value: `${chain.name} (${chain.chainId})` },
      ],
      approve: async () => {
        await switchTo(chainId)
        return null
      },
    }
  const refusal = new LatchkeyError('UNRECOGNIZED_CHAIN')
  if (call.method === 'wallet_switchEthereumChain') throw refusal
  return {
    title: 'This network cannot be added',
    rows: [
      { label: 'Network', value: `${addedChain.chainName ?? 'Unnamed'} (${chainId})` },
      { label: 'Node', value: addedChain.rpcUrls?.[0] ?? 'none' },
    ],
    warning: 'The development wallet holds only the networks of this machine.',
    refusal,
  }
}
