import * as z from 'zod/mini'
import { currentChain } from '../state.ts'
import { invalidParams } from './parameters.ts'
import type { PreparedRequest, WalletRequest } from './walletRequest.ts'

const schema = z.object({
  type: z.literal('ERC20'),
  options: z.object({
    address: z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)),
    symbol: z.optional(z.string().check(z.maxLength(50))),
    decimals: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
  }),
})

/**
 * wallet_watchAsset (EIP-747): asks the user, but stores no list, because the wallet's page shows
 * only native balances.
 */
export function prepareToken({ call, config, state }: WalletRequest): PreparedRequest {
  const parsed = z.safeParse(schema, call.params)
  if (!parsed.success) throw invalidParams('token')
  const { address, symbol, decimals } = parsed.data.options
  const chain = currentChain(config, state)
  return {
    title: 'Watch this token?',
    rows: [
      { label: 'Token', value: symbol ?? 'No name given' },
      { label: 'Address', value: address },
      ...(decimals === undefined ? [] : [{ label: 'Decimals', value: String(decimals) }]),
      { label: 'Network', value: `${chain.name} (${chain.chainId})` },
    ],
    approve: async () => true,
  }
}
