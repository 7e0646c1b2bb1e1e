import { evmReadMethods, LatchkeyError, parseChainId } from '@latchkey/wire'
import type { App } from '../../../../app.ts'
import type { Connector } from '../../../../connection/connectors/connector.ts'
import { walletErrorCode } from '../../../../connection/connectors/walletError.ts'
import { getRpcClient } from '../../../../network/getRpcClient.ts'
import { activeNetwork, type ConnectorInfo } from '../../../../state.ts'
import { createEip1193 } from '../eip1193.ts'
import type { InjectedProvider } from '../provider.ts'
import { createWindowWatch } from './watchWindow.ts'

/** Which Coinbase wallets to offer: all, only smart wallets, or only keys in its app. */
export type CoinbasePreference = 'all' | 'smartWalletOnly' | 'eoaOnly'

const vendorsUrl = 'https://keys.coinbase.com/connect'
const unauthorized = 4100

/** A connector for Coinbase's SDK. Read-only requests go to our nodes, not to Coinbase's. */
export async function openCoinbase(parameters: {
  app: App
  info: ConnectorInfo
  preference: CoinbasePreference
  keysUrl: string | undefined
}): Promise<{ connector: Connector; ask: (opened: Window | null) => Promise<unknown> }> {
  const { app, info, preference, keysUrl = vendorsUrl } = parameters
  const { sleep } = app.environment
  const { createCoinbaseWalletSDK } = await loadSdk()
  const { name, icons } = app.config.metadata
  const sdk = createCoinbaseWalletSDK({
    ...{ appName: name, appLogoUrl: icons[0] ?? null, appChainIds: getChainIds(app) },
    preference: { options: preference, keysUrl },
  })
  const own = sdk.getProvider()
  const watch = createWindowWatch({ origin: new URL(keysUrl).origin, sleep })
  const request = async (
    call: Parameters<InjectedProvider['request']>[0],
    opened: Window | null = null,
  ): Promise<unknown> => {
    try {
      return await watch(() => own.request(call), opened)
    } catch (error) {
      if (call.method === 'eth_accounts' && walletErrorCode(error) === unauthorized) return []
      throw error
    }
  }
  const provider: InjectedProvider = {
    request: (call) => request(call),
    on: (event, listener) => own.on(event as 'disconnect', listener),
    removeListener: (event, listener) => own.removeListener(event as 'disconnect', listener),
  }
  const connector = createEip1193({ info, provider: () => provider, sleep })
  return {
    ask: (opened) => request({ method: 'eth_requestAccounts' }, opened),
    connector: {
      ...connector,
      request: (chainId, method, params) =>
        isRead(method)
          ? getRpcClient(app, chainId)(method, params as readonly unknown[])
          : connector.request(chainId, method, params),
      // The SDK then deletes the session that it has stored in this browser.
      disconnect: () => own.disconnect(),
    },
  }
}

const isRead = (method: string) =>
  method !== 'eth_chainId' && (evmReadMethods as readonly string[]).includes(method)

async function loadSdk() {
  try {
    return await import('@coinbase/wallet-sdk')
  } catch (cause) {
    const reason =
      'The code that reaches Coinbase Wallet could not be loaded. Check your network and try again. The app needs the package @coinbase/wallet-sdk'
    throw new LatchkeyError('WALLET_NOT_READY', { data: { reason }, cause })
  }
}

/** The app's EVM networks, the selected network first. */
function getChainIds(app: App): number[] {
  const state = app.store.getState()
  const chains = [activeNetwork(state), ...state.networks]
    .map(({ caipNetworkId }) => parseChainId(caipNetworkId))
    .filter(({ namespace }) => namespace === 'eip155')
  return [...new Set(chains.map(({ reference }) => Number(reference)))]
}
