import { getCapabilities } from '@latchkey/core'
import { ActivityList, NftList, useApp, useFeatures, useModal, useNetwork } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Link } from '../parts/Link.tsx'
import { OnNetwork } from '../parts/OnNetwork.tsx'
import { Accounts } from '../portfolio/Accounts.tsx'
import { Hero } from '../portfolio/Hero.tsx'
import { PortfolioTokens } from '../portfolio/PortfolioTokens.tsx'
import { useHoldings } from '../portfolio/useHoldings.ts'

/** The assets of all connected accounts, and the actions for them. */
export function Portfolio() {
  const { unsupportedChainId } = useNetwork()
  const holdings = useHoldings()
  return (
    <div className="portfolio">
      <h1 className="hidden">{text('portfolio.title')}</h1>
      <Accounts holdings={holdings} />
      {unsupportedChainId === undefined ? (
        <Hero holdings={holdings} />
      ) : (
        <Unsupported chainId={unsupportedChainId} />
      )}
      <div className="columns">
        <div className="side">
          <PortfolioTokens holdings={holdings} />
          {holdings.isActive && <Nfts />}
        </div>
        {holdings.isActive && <Activity />}
      </div>
    </div>
  )
}

function Unsupported({ chainId }: { chainId: string }) {
  const { open } = useModal()
  return (
    <section className="card unsupported" role="alert">
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

/** How many transactions the portfolio shows; their page shows all. */
const shownTransactions = 8

/** The latest activity on the selected network. */
function Activity() {
  const { network } = useNetwork()
  if (!useAppCapabilities().history) return null
  return (
    <section className="card list" aria-labelledby="activity">
      <div className="listHead">
        <h2 id="activity">
          {text('portfolio.activity')} <OnNetwork name={network.name} />
        </h2>
        <Link to="/activity" className="seeAll">
          <span>{text('portfolio.seeAll')}</span>{' '}
          <span className="hidden">{text('portfolio.activity')}</span>
        </Link>
      </div>
      {/* The key resets the list: entries expanded on one network do not apply to another. */}
      <ActivityList key={network.caipNetworkId} limit={shownTransactions} />
    </section>
  )
}

/** The NFTs on the selected network. */
function Nfts() {
  const { network } = useNetwork()
  const { open } = useModal()
  if (!useAppCapabilities().nfts) return null
  return (
    <section className="card list gallery" aria-labelledby="nfts">
      <div className="listHead">
        <h2 id="nfts">
          {text('portfolio.nfts')} <OnNetwork name={network.name} />
        </h2>
        <button
          type="button"
          className="seeAll"
          aria-haspopup="dialog"
          onClick={() => open({ name: 'Account', tab: 'nfts' })}
        >
          <span>{text('portfolio.seeAll')}</span>{' '}
          <span className="hidden">{text('portfolio.nfts')}</span>
        </button>
      </div>
      <NftList look="strip" onChoose={(nft) => open({ name: 'NftDetail', nft })} />
    </section>
  )
}

function useAppCapabilities() {
  const chainId = useNetwork().network.caipNetworkId
  return getCapabilities(useApp(), { chainId, areas: useFeatures().data })
}
