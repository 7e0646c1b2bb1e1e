import { formatUnits, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { FrameChain } from '../../chains.ts'
import type { ReadChain } from '../../readChain.ts'

const lamports = z.object({ value: z.int().check(z.gte(0)) })

/**
 * An address's balance of a network's native coin, formatted; `amount` is undefined if the network
 * cannot be read now.
 */
export type WalletHolding = { readonly chain: FrameChain; readonly amount: string | undefined }

/** Reads the native balances of a wallet on each network of the frame. */
export const readWalletHoldings = (parameters: {
  readonly read: ReadChain
  readonly chains: readonly FrameChain[]
  readonly addresses: WalletAddresses
  readonly signal: AbortSignal
}): Promise<WalletHolding[]> =>
  Promise.all(
    parameters.chains.map(async (chain) => ({
      chain,
      amount: await readAmount({ ...parameters, chain }).catch(() => undefined),
    })),
  )

type HoldingParameters = Parameters<typeof readWalletHoldings>[0] & { readonly chain: FrameChain }

async function readAmount({ read, chain, addresses, signal }: HoldingParameters): Promise<string> {
  const address = addresses[chain.namespace]
  if (chain.namespace === 'solana') {
    const { value } = z.parse(lamports, await read(chain, 'getBalance', [address], signal))
    return formatUnits(BigInt(value), chain.decimals)
  }
  const found = await read(chain, 'eth_getBalance', [address, 'latest'], signal)
  if (typeof found !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(found))
    throw new LatchkeyError('ANSWER_INVALID')
  return formatUnits(BigInt(found), chain.decimals)
}
