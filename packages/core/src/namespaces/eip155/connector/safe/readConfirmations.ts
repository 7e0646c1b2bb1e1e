import { LatchkeyError, type Namespace } from '@latchkey/wire'
import { decodeFunctionResult, encodeFunctionData, type Hex, isHex, parseAbi } from 'viem'
import type { App } from '../../../../app.ts'
import type { ConnectProposal } from '../../../../connection/connectors/connector.ts'
import { getRpcClient } from '../../../../network/getRpcClient.ts'
import { activeConnection, isConnected } from '../../../../state.ts'

/**
 * How many owners of an account have to confirm, the nonce of its next transaction, and the waiting
 * transactions.
 */
export type Confirmations = {
  readonly threshold: bigint
  readonly owners: number
  readonly nextNonce: bigint
  readonly proposal: ConnectProposal | undefined
}

const safeAbi = parseAbi([
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
  'function nonce() view returns (uint256)',
])

/**
 * Reads the confirmations of the connected Safe, on the selected network unless set: the owners
 * from its contract by our node, and the waiting transactions from the Safe web app. Throws
 * NOT_CONNECTED, ANSWER_INVALID if the account is not a Safe contract, and the errors of the node's
 * client.
 */
export async function readConfirmations(
  app: App,
  { namespace }: { readonly namespace?: Namespace | undefined } = {},
): Promise<Confirmations> {
  const state = app.store.getState()
  const connection = namespace ? state.connections[namespace] : activeConnection(state)
  if (!isConnected(connection)) throw new LatchkeyError('NOT_CONNECTED')
  const { connectorId, account, chainId } = connection
  const node = getRpcClient(app, chainId)
  const read = async (functionName: (typeof safeAbi)[number]['name']): Promise<Hex> => {
    const data = encodeFunctionData({ abi: safeAbi, functionName })
    const answer = await node('eth_call', [{ to: account.address, data }, 'latest'])
    if (!isHex(answer) || answer === '0x') throw new LatchkeyError('ANSWER_INVALID')
    return answer
  }
  const [threshold, owners, nonce, proposal] = await Promise.all([
    read('getThreshold'),
    read('getOwners'),
    read('nonce'),
    app.connectors
      .get(connectorId)
      ?.readProposal?.()
      .catch(() => undefined),
  ])
  return { ...decode({ threshold, owners, nonce }), proposal }
}

/** Decodes the contract's results. Throws ANSWER_INVALID if the bytes do not decode. */
function decode({
  threshold,
  owners,
  nonce,
}: Readonly<Record<'threshold' | 'owners' | 'nonce', Hex>>) {
  const abi = safeAbi
  try {
    return {
      threshold: decodeFunctionResult({ abi, functionName: 'getThreshold', data: threshold }),
      owners: decodeFunctionResult({ abi, functionName: 'getOwners', data: owners }).length,
      nextNonce: decodeFunctionResult({ abi, functionName: 'nonce', data: nonce }),
    }
  } catch (cause) {
    throw new LatchkeyError('ANSWER_INVALID', { cause })
  }
}
