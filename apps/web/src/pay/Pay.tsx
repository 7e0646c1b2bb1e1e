import type { Network } from '@latchkey/core'
import { formatAmount, formatDollars, QrCode, truncateAddress, useNetwork } from '@latchkey/react'
import type { CSSProperties } from 'react'
import { text } from '../locales/text.ts'
import { Link } from '../parts/Link.tsx'
import { useRoute } from '../useRoute.ts'
import { CopyButton } from './CopyButton.tsx'
import { PayActions } from './PayActions.tsx'
import { PayTitle } from './PayTitle.tsx'
import { countDecimals, type PayLink, type PayLinkProblem, parsePayLink } from './parsePayLink.ts'
import { type Payee, usePayee } from './usePayee.ts'
import { type PayToken, usePayToken } from './usePayToken.ts'
import { WholeAddress } from './WholeAddress.tsx'

/** The page of a payment link: who is paid and how much, and the way to the filled-in send form. */
export function Pay() {
  const { network, networks } = useNetwork()
  const link = parsePayLink({ path: useRoute(), query: location.search, networks })
  if ('problem' in link) return <Unusable problem={link.problem} />
  const named = networks.find(({ caipNetworkId }) => caipNetworkId === link.asset?.chainId)
  return <Payment link={link} network={named ?? network} />
}

const Unusable = ({ problem }: { problem: PayLinkProblem }) => (
  <section className="card plain">
    <h1>{text('pay.unusable')}</h1>
    <p>{text(`pay.unusable.${problem}`)}</p>
    <Link to="/" className="button">
      {text('notFound.home')}
    </Link>
  </section>
)

function Payment({ link, network }: { link: PayLink; network: Network }) {
  const { payee, retry } = usePayee({ ...link, network })
  const { token, isLoading } = usePayToken({ network, address: link.asset?.address })
  const isTooPrecise = token && link.amount && countDecimals(link.amount) > token.decimals
  const isPossible = payee.status === 'found' || payee.status === 'loading'
  return (
    <div className="payer">
      <section className="card pay">
        <Sum link={link} network={network} payee={payee} token={token} isLoading={isLoading} />
        <p className="payNote">{text('pay.note')}</p>
        {isTooPrecise ? (
          <p className="problem" role="alert">
            {text('pay.tooPrecise', { symbol: token.symbol, count: token.decimals })}
          </p>
        ) : (
          isPossible && (
            <div className="payActions">
              <PayActions link={link} network={network} />
            </div>
          )
        )}
        <Receiver link={link} network={network} payee={payee} onRetry={retry} />
      </section>
    </div>
  )
}

function Sum({
  link,
  network,
  payee,
  token,
  isLoading,
}: {
  link: PayLink
  network: Network
  payee: Payee
  token: PayToken | undefined
  isLoading: boolean
}) {
  const { to, isName, amount, asset } = link
  const symbol = token?.symbol || (isLoading ? '…' : truncateAddress(asset?.address ?? ''))
  const shown = amount && `${formatAmount(amount, countDecimals(amount))} ${symbol}`
  const value = amount && token?.price !== undefined ? Number(amount) * token.price : undefined
  return (
    <>
      <PayTitle
        to={to}
        isName={isName}
        imageUrl={payee.status === 'found' ? payee.imageUrl : undefined}
      />
      {shown ? (
        <p className="payAmount" style={{ '--characters': shown.length } as CSSProperties}>
          <bdi translate="no">{shown}</bdi>
        </p>
      ) : (
        <p className="payAmount">{text('pay.any', { symbol })}</p>
      )}
      {asset?.address && (
        <p className="quiet small">
          {text('pay.token')}{' '}
          <bdi dir="ltr" translate="no" title={asset.address}>
            {truncateAddress(asset.address)}
          </bdi>
        </p>
      )}
      <p className="quiet">
        {value === undefined
          ? text('portfolio.on', { network: network.name })
          : text('pay.worth', { network: network.name, value: formatDollars(value) })}
      </p>
    </>
  )
}

/** The receiver's address, which people can also pay from elsewhere, or why there is no address. */
function Receiver({
  link,
  network,
  payee,
  onRetry,
}: {
  link: PayLink
  network: Network
  payee: Payee
  onRetry: () => void
}) {
  if (payee.status === 'loading')
    return (
      <p className="quiet small payAddress" role="status">
        {text('pay.looking')}
      </p>
    )
  if (payee.status === 'found') return <Elsewhere address={payee.address} network={network} />
  return (
    <div className="payAddress" role="alert">
      <p>{text(`pay.${payee.status}`, { name: link.to, network: network.name })}</p>
      {payee.status === 'failed' && (
        <button type="button" className="button" onClick={onRetry}>
          {text('app.retry')}
        </button>
      )}
    </div>
  )
}

const Elsewhere = ({ address, network }: { address: string; network: Network }) => (
  <div className="payAddress">
    <p className="quiet small">{text('pay.elsewhere', { network: network.name })}</p>
    <div className="payScan">
      <QrCode text={address} label={text('pay.code')} />
    </div>
    <p>
      <WholeAddress address={address} />
    </p>
    <CopyButton value={address} label={text('portfolio.copy')} copied={text('portfolio.copied')} />
  </div>
)
