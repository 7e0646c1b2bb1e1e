import { getCapabilities, type Network } from '@latchkey/core'
import {
  ActivityList,
  NftList,
  PortfolioHistory,
  useAccount,
  useApp,
  useFeatures,
  useModal,
  useNetwork,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { PortfolioTokens } from './PortfolioTokens.tsx'
import { PortfolioTotal } from './PortfolioTotal.tsx'
import { usePortfolioScope } from './usePortfolioScope.ts'

/** The account's assets on the selected network or on all, and the actions for them. */
export function Portfolio() {
  const { unsupportedChainId } = useNetwork()
  const { holdings, ...shown } = usePortfolioScope()
  return (
    <div className="portfolio">
      <h1 className="hidden">{text('portfolio.title')}</h1>
      {unsupportedChainId === undefined ? (
        <PortfolioTotal holdings={holdings} {...shown} />
      ) : (
        <Unsupported chainId={unsupportedChainId} />
      )}
      <div className="columns">
        <div className="side">
          <Worth {...shown} />
          <PortfolioTokens holdings={holdings} scope={shown.scope} />
          <Activity />
        </div>
        <Nfts />
      </div>
    </div>
  )
}

function Unsupported({ chainId }: { chainId: string }) {
  const { open } = useModal()
  return (
    <section className="card total" role="alert">
      <p>{text('portfolio.unsupported', { chainId })}</p>
      <button
        type="button"
        className="button"
        data-look="main"
        onClick={() => open({ name: 'Networks' })}
      >
        {text('portfolio.switch')}
      </button>
    </section>
  )
}

/** The value of the account over time, on the selected network or on all of them. */
function Worth({
  scope,
  networks: [first, ...others],
}: {
  scope: Network | undefined
  networks: readonly Network[]
}) {
  const selected = useNetwork().network
  const { address } = useAccount()
  const { history } = useAppCapabilities()
  if (first === undefined || (!history && scope === selected)) return null
  const key = `${address} ${scope?.caipNetworkId ?? 'all'}`
  return (
    <section className="card worth">
      <PortfolioHistory
        key={key}
        networks={scope ? [scope] : [first, ...others]}
        isExpected={isChartExpected()}
        onKnown={rememberChart}
      />
    </section>
  )
}

const storageKey = 'latchkey.web.noChart'

/** Whether the chart takes its space: unless there was none when that was last known. */
function isChartExpected(): boolean {
  try {
    return localStorage.getItem(storageKey) === null
  } catch {
    return true
  }
}

function rememberChart(hasChart: boolean): void {
  try {
    if (hasChart) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, '')
  } catch {
    // Without storage, a missing chart moves what is below it.
  }
}

function Activity() {
  const { network } = useNetwork()
  if (!useAppCapabilities().history) return null
  return (
    <section className="card list" aria-labelledby="activity">
      <h2 id="activity">{text('portfolio.activity')}</h2>
      {/* The key resets the list: entries expanded on one network do not apply to another. */}
      <ActivityList key={network.caipNetworkId} />
    </section>
  )
}

function Nfts() {
  const { open } = useModal()
  if (!useAppCapabilities().nfts) return null
  return (
    <section className="card list" aria-labelledby="nfts">
      <h2 id="nfts">{text('portfolio.nfts')}</h2>
      <NftList onChoose={(nft) => open({ name: 'NftDetail', nft })} />
    </section>
  )
}

function useAppCapabilities() {
  const chainId = useNetwork().network.caipNetworkId
  return getCapabilities(useApp(), { chainId, areas: useFeatures().data })
}
