import { type Config, useAccount, useApp, useNetwork } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Value } from './Section.tsx'

/** Account and network as returned by the hooks, and what is still missing. */
export function StateView() {
  const app = useApp()
  const { status, caipAddress, accounts, connector, wallet } = useAccount()
  const { network, networks, unsupportedChainId } = useNetwork()
  const state = {
    projectId: app.config.projectId,
    relay: getRelayUrl(app.config),
    account: {
      status,
      caipAddress,
      accounts,
      connector: connector?.id,
      rdns: connector?.rdns,
      wallet: wallet?.name,
    },
    network: network.caipNetworkId,
    unsupportedChainId,
    networks: networks.map(({ caipNetworkId }) => caipNetworkId),
  }
  return (
    <section className="card call">
      <h2>{text('dev.state')}</h2>
      <p className="quiet small">{text('dev.stateText')}</p>
      <Value name="JSON" value={JSON.stringify(state, null, 2)} />
    </section>
  )
}

/** The relay URL for WalletConnect: the server's own relay unless another is configured. */
function getRelayUrl({ wallets, apiUrl }: Config): string {
  const relay = wallets?.walletConnect
  const own = typeof relay === 'object' ? relay.relayUrl : undefined
  return own ?? apiUrl.replace(/^http/, 'ws')
}
