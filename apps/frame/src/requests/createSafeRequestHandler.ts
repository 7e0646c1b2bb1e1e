import { LatchkeyError } from '@latchkey/wire'
import type { ReadChain } from '../readChain.ts'
import type { RpcRequest } from './createRequestQueue.ts'

/** Answers requests that need no approval: from what the frame knows, otherwise by our own RPC. */
export function createSafeRequestHandler(parameters: {
  read: ReadChain
  /** The EVM account, if the page may know it. */
  account: () => Promise<string | undefined>
}) {
  const { read, account } = parameters
  return async ({ method, params, chain }: RpcRequest, signal: AbortSignal): Promise<unknown> => {
    if (method === 'eth_accounts') {
      const address = await account()
      return address === undefined ? [] : [address]
    }
    if (chain.namespace !== 'eip155')
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
    if (method === 'eth_chainId') return `0x${Number(chain.reference).toString(16)}`
    if (method === 'wallet_getCapabilities') {
      if (!Array.isArray(params) || typeof params[0] !== 'string')
        throw new LatchkeyError('MISSING_CAPABILITIES_ADDRESS')
      return {}
    }
    // Batched calls, smart accounts and assets are not supported yet.
    if (/^wallet_|UserOperation|supportedEntryPoints/.test(method))
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
    return read(chain, method, params, signal)
  }
}
