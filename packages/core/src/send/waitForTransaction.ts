import { anySignal, type ChainId, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getAction } from '../namespaces/actions.ts'
import type { TransactionOutcome } from '../namespaces/transactionOutcome.ts'
import { getRpcClient } from '../network/getRpcClient.ts'
import { openRpcSocket } from '../network/openRpcSocket.ts'
import { getCallsStatus } from './calls.ts'

/**
 * Resolves once a transaction, or another transaction of the account `address` with its nonce, is
 * in a block. Throws ABORTED and the node's errors.
 */
export const waitForTransaction = (
  app: App,
  parameters: {
    hash: string
    chainId: ChainId
    address?: string | undefined
    signal?: AbortSignal
  },
): Promise<TransactionOutcome> =>
  attempt(async () => {
    const { hash, chainId, address } = parameters
    const { namespace } = parseChainId(chainId)
    const actions = await app.loadActions(namespace)
    const signal = parameters.signal ? anySignal([app.signal, parameters.signal]) : app.signal
    const { sleep } = app.environment
    const wait = getAction(actions, 'waitForTransaction')
    const node = getRpcClient(app, chainId)
    const openSocket = () => openRpcSocket(app, chainId)
    // The next read of the node may succeed instead.
    const readBatch = () => getCallsStatus(app, { id: hash, namespace }).catch(() => undefined)
    return wait({ node, openSocket, hash, address, readBatch, signal, sleep })
  })

/**
 * Whether owners of the account `address` may still have to confirm: a contract decides, and the
 * network does not know the transaction.
 */
export const awaitsOwners = (
  app: App,
  { hash, chainId, address }: { hash: string; chainId: ChainId; address: string },
): Promise<boolean> =>
  attempt(async () => {
    const actions = await app.loadActions(parseChainId(chainId).namespace)
    const node = getRpcClient(app, chainId)
    return (await actions.awaitsOwners?.({ node, hash, address })) ?? false
  })

/**
 * Whether the network considers a transaction's block final; false if its nodes do not report it.
 * Throws the node's errors.
 */
export const isFinal = (
  app: App,
  { hash, chainId }: { hash: string; chainId: ChainId },
): Promise<boolean> =>
  attempt(async () => {
    const actions = await app.loadActions(parseChainId(chainId).namespace)
    return getAction(actions, 'isFinal')({ node: getRpcClient(app, chainId), hash })
  })
