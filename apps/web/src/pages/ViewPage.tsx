import { getCapabilities } from '@latchkey/core'
import {
  ConnectButton,
  PageView,
  useAccount,
  useApp,
  useFeatures,
  useModal,
  useNetwork,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { OnNetwork } from '../parts/OnNetwork.tsx'
import { Settings } from './Settings.tsx'
import type { ViewPageInfo } from './viewPages.ts'

/** A page that shows a view of the modal, or its purpose until an account is connected. */
export function ViewPage({ page }: { page: ViewPageInfo }) {
  const { isConnected } = useAccount()
  const { network } = useNetwork()
  const { name, isForm, isOnNetwork } = page
  return (
    <div className="viewPage" data-form={isForm}>
      <h1>
        <span>{text(`nav.${name}`)}</span>
        {isConnected && isOnNetwork && (
          <>
            {' '}
            <OnNetwork name={network.name} />
          </>
        )}
      </h1>
      {isConnected ? (
        <Content page={page} />
      ) : (
        <>
          <p className="quiet">{text(`page.${name}`)}</p>
          <ConnectButton />
        </>
      )}
    </div>
  )
}

function Content({ page: { name, view, needs } }: { page: ViewPageInfo }) {
  const { network, unsupportedChainId } = useNetwork()
  const { data: areas, isLoading } = useFeatures()
  const can = getCapabilities(useApp(), { chainId: network.caipNetworkId, areas })
  const isOffered = needs === undefined || can[needs]
  if (unsupportedChainId !== undefined)
    return <Unavailable reason={text('portfolio.unsupported', { chainId: unsupportedChainId })} />
  if (name === 'settings') return <Settings hasOwn={can.accountSettings} />
  if (!isOffered && isLoading)
    return (
      <section className="card" aria-busy="true">
        <p className="loading" role="status" aria-label={text('app.loading')} />
      </section>
    )
  // If the server does not report what it offers, the view shows what fails.
  if (!isOffered && areas !== undefined)
    return <Unavailable reason={text('page.off', { network: network.name })} />
  return (
    <section className="card">
      {/* The months of the list are headings below it. */}
      {view === 'Transactions' && <h2 className="hidden">{text('page.transactions')}</h2>}
      <PageView view={{ name: view }} />
    </section>
  )
}

/** Shown if another network has to be chosen first. */
function Unavailable({ reason }: { reason: string }) {
  const { open } = useModal()
  return (
    <section className="card empty">
      <p>{reason}</p>
      <button
        type="button"
        className="button"
        aria-haspopup="dialog"
        onClick={() => open({ name: 'Networks' })}
      >
        {text('portfolio.switch')}
      </button>
    </section>
  )
}
