import { useAccount, useApp, useNetwork } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Value } from './Section.tsx'

/** Account and network as the hooks tell them, and what is not here yet. */
export function StateView() {
  const app = useApp()
  const { status, caipAddress, accounts, connector } = useAccount()
  const { network, networks, unsupportedChainId } = useNetwork()
  const state = {
    projectId: app.config.projectId,
    account: { status, caipAddress, accounts, connector: connector?.id, rdns: connector?.rdns },
    network: network.caipNetworkId,
    unsupportedChainId,
    networks: networks.map(({ caipNetworkId }) => caipNetworkId),
  }
  return (
    <>
      <section className="card call">
        <h2>{text('dev.state')}</h2>
        <p className="quiet small">{text('dev.stateText')}</p>
        <Value name="JSON" value={JSON.stringify(state, null, 2)} />
      </section>
      <section className="card call">
        <h2>{text('dev.capabilities')}</h2>
        <ul className="reasons">
          <li>{text('dev.swapWhy')}</li>
          <li>{text('dev.buyWhy')}</li>
          <li>{text('dev.nftWhy')}</li>
        </ul>
      </section>
    </>
  )
}
