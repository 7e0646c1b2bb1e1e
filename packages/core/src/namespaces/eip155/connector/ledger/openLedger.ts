import { type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import { abortable } from '../../../../abortable.ts'
import type { App } from '../../../../app.ts'
import type { Connector, ConnectorEvent } from '../../../../connection/connectors/connector.ts'
import { type Reviewed, reviewedByView } from '../../../../connection/requests/reviewed.ts'
import { showReview } from '../../../../connection/requests/reviewRequest.ts'
import { getRpcClient } from '../../../../network/getRpcClient.ts'
import { activeNetwork, type ConnectorInfo } from '../../../../state.ts'
import { parseEvmChainId, toHexChainId } from '../../chainId.ts'
import { checkPermissionsRequest, toPermissions } from '../../provider/accountPermissions.ts'
import { chooseLedgerAccount, type LedgerAccount } from './ledgerAccounts.ts'
import { prepareSigning } from './prepareSigning.ts'
import { createUseDevice, type Transport } from './useDevice.ts'

/**
 * A connector for a Ledger. The device has no network and only receives requests for addresses and
 * signatures. Other requests go to the networks' own nodes. The modal shows first what is to be
 * signed, unless a view of the modal has already shown it.
 */
export function openLedger(parameters: {
  app: App
  info: ConnectorInfo
  openTransport?: (() => Promise<Transport>) | undefined
}): Connector {
  const { app, info, openTransport } = parameters
  const useDevice = createUseDevice(openTransport)
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let chosenChainId: ChainId | undefined

  const getSaved = () => {
    const saved = app.storage.get('connections')?.eip155
    return saved?.connectorId === info.id ? saved : undefined
  }
  const getAccount = (): LedgerAccount => {
    const [account] = getSaved()?.accounts ?? []
    const { path } = account ?? {}
    if (!account || path === undefined) throw new LatchkeyError('UNAUTHORIZED')
    return { ...account, path }
  }
  const isOurs = (chainId: ChainId | undefined): chainId is ChainId =>
    app.store.getState().networks.some(({ caipNetworkId }) => caipNetworkId === chainId)

  function selectChain(value: unknown) {
    const chainId = parseEvmChainId(value)
    if (!isOurs(chainId)) throw new LatchkeyError('UNRECOGNIZED_CHAIN')
    chosenChainId = chainId
    for (const listener of listeners) listener({ type: 'chainChanged', chainId })
    return null
  }

  async function sign(question: { chainId: ChainId; method: string; params: unknown }) {
    const { chainId } = question
    if (!isOurs(chainId)) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    const node = getRpcClient(app, chainId)
    return prepareSigning({ ...question, account: getAccount(), node, useDevice })
  }

  async function request(
    question: { chainId: ChainId; method: string; params: unknown },
    review: Reviewed | undefined,
  ): Promise<unknown> {
    const { chainId, method, params } = question
    const [first] = (Array.isArray(params) ? params : []) as { chainId?: unknown }[]
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [getAccount().address]
      case 'eth_chainId':
        return toHexChainId(chosenChainId ?? getSaved()?.chainId ?? chainId)
      case 'wallet_requestPermissions':
        checkPermissionsRequest(params)
        return toPermissions([getAccount().address])
      case 'wallet_getPermissions':
        return toPermissions([getAccount().address])
      case 'wallet_switchEthereumChain':
        return selectChain(first?.chainId)
      case 'personal_sign':
      case 'eth_signTypedData_v3':
      case 'eth_signTypedData_v4':
      case 'eth_sendTransaction': {
        const signing = await sign(question)
        return review === reviewedByView
          ? signing.finish()
          : showReview(app, { chainId, read: async () => signing.review, ask: signing.finish })
      }
      default:
        if (/^(wallet|personal)_|sign/i.test(method))
          throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
        return getRpcClient(app, chainId)(method, params as readonly unknown[])
    }
  }

  return {
    info,
    async connect({ chainId, response, signal, onChoice }) {
      await abortable(Promise.resolve(response), signal)
      const account = await abortable(chooseLedgerAccount({ useDevice, onChoice }), signal)
      chosenChainId = chainId ?? getFirstChain(app)
      return { accounts: [account], chainId: chosenChainId }
    },
    async authorized() {
      const saved = getSaved()
      chosenChainId = saved?.chainId
      return saved && { accounts: saved.accounts, chainId: saved.chainId }
    },
    request: (chainId, method, params, review) => request({ chainId, method, params }, review),
    async disconnect() {
      chosenChainId = undefined
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The selected network if it is an EVM network, otherwise the app's first EVM network. */
function getFirstChain(app: App): ChainId {
  const state = app.store.getState()
  const all = [activeNetwork(state), ...state.networks].map(({ caipNetworkId }) => caipNetworkId)
  const own = all.find((id) => parseChainId(id).namespace === 'eip155')
  if (own) return own
  throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
}
