import { LatchkeyError } from '@latchkey/wire'
import type { LoginSession } from '../auth/loginSession.ts'
import type { FrameChain } from '../chains.ts'
import { createThrottle } from '../host/createThrottle.ts'
import type { ReadChain } from '../readChain.ts'
import type { CallsAccess } from './calls/callsAccess.ts'
import type { getPendingOperations } from './calls/operation/pendingOperations.ts'
import type { QueuedRequest } from './createRequestQueue.ts'

/** Empty if the bundler cannot be reached: the transactions are shown without it. */
const readOperations = async (
  place: Parameters<typeof getPendingOperations>[0],
): Promise<object[]> =>
  (await import('./calls/operation/pendingOperations.ts'))
    .getPendingOperations(place)
    .catch(() => [])

/**
 * Answers requests that need no approval: from the frame's own state, otherwise through our RPC.
 */
export function createSafeRequestHandler(parameters: {
  read: ReadChain
  /** The EVM account, if the page may know it. */
  account: () => Promise<string | undefined>
  chains: readonly FrameChain[]
  /** The page's batches for an EVM account. */
  access: (account: string) => CallsAccess
  /** Queries our server for the account's assets. */
  session: Pick<LoginSession, 'call'>
  /** Disconnects the page from the account. */
  disconnect?: () => Promise<void>
  now?: () => number
}) {
  const { read, account, chains, access, session, disconnect, now = Date.now } = parameters
  // Each of these requests queries our server for every network.
  const admitAssets = createThrottle(now)
  return async (
    { method, params, chain }: QueuedRequest,
    signal: AbortSignal,
  ): Promise<unknown> => {
    if (method === 'eth_accounts') {
      const address = await account()
      return address === undefined ? [] : [address]
    }
    if (method === 'wallet_disconnect' && disconnect) {
      await disconnect()
      return null
    }
    if (chain.namespace !== 'eip155')
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
    if (method === 'eth_chainId') return `0x${Number(chain.reference).toString(16)}`
    if (method === 'wallet_getPendingTransactions') {
      const address = await account()
      if (address === undefined) throw new LatchkeyError('UNAUTHORIZED')
      const { listPendingTransactions } = await import('./evm/replacement/sentTransactions.ts')
      const place = { read, chain, account: address, calls: access(address), now }
      const [transactions, operations] = await Promise.all([
        listPendingTransactions(place),
        chain.smartAccounts ? readOperations(place) : [],
      ])
      return [...transactions, ...operations]
    }
    if (method === 'wallet_getCapabilities' || method === 'wallet_getCallsStatus') {
      const address = await account()
      if (address === undefined) throw new LatchkeyError('UNAUTHORIZED')
      const { getBatchCapabilities, getBatchStatus } = await import('./calls/answerCalls.ts')
      const answer = method === 'wallet_getCallsStatus' ? getBatchStatus : getBatchCapabilities
      const subject = { chains, account: address, access: access(address) }
      return answer({ ...subject, params, read, now })
    }
    if (method === 'wallet_getAssets') {
      const address = await account()
      if (address === undefined) throw new LatchkeyError('UNAUTHORIZED')
      admitAssets()
      const { answerAssets } = await import('./assets/answerAssets.ts')
      const { watched } = access(address)
      return answerAssets({ params, chains, account: address, watched, session, signal })
    }
    const isOfBundler = /UserOperation|supportedEntryPoints/.test(method)
    if (method.startsWith('wallet_') || (isOfBundler && !chain.smartAccounts))
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
    return read(chain, method, params, signal)
  }
}
