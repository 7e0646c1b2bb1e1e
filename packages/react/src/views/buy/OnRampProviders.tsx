import {
  type BuySelection,
  goBack,
  parseBuyAmount,
  replaceView,
  setBuyDraft,
} from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useLatchkey } from '../../app/context.ts'
import { buyQuoteQuery } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row } from '../../parts/Row.tsx'
import { SkeletonLine } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { BuyNotice } from './BuyNotice.tsx'
import { SellerFees } from './BuyQuote.tsx'
import own from './buy.module.css'
import { formatBought, formatMoney } from './formatMoney.ts'
import { useBuySelection } from './useBuySelection.ts'

/** The providers for the form's values, with their fees and the amount that each delivers. */
export function OnRampProviders({ view }: ViewProps<'OnRampProviders'>) {
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const state = useBuySelection()
  const { selection, address, draft } = state
  if (!selection || address === undefined) return <BuyNotice {...state} />
  const parsed = parseBuyAmount(draft.amount, selection.limits)
  const amount = 'amount' in parsed ? parsed.amount : undefined
  const { currency, token, providers } = selection
  return (
    <div className={styles.column}>
      <p className={styles.intro}>
        {amount === undefined
          ? t('seller.introEmpty', { symbol: token.symbol })
          : t('seller.intro', { amount: formatMoney({ amount, currency }, locale) })}
      </p>
      {providers.map((provider) => (
        <Seller
          key={provider.id}
          provider={provider}
          selection={selection}
          amount={amount}
          isFromForm={view.isFromForm === true}
        />
      ))}
    </div>
  )
}

function Seller({
  provider,
  selection,
  amount,
  isFromForm,
}: {
  provider: BuySelection['provider']
  selection: BuySelection
  amount: string | undefined
  isFromForm: boolean
}) {
  const app = useApp()
  const t = useT(enBuy)
  const { chainId, token, currency, method } = selection
  const purchase = amount === undefined ? undefined : { chainId, token, currency, method, amount }
  const { data: quote, isError } = useQuery(
    buyQuoteQuery(app, { purchase: purchase && { ...purchase, providerId: provider.id } }),
    getQueryClient(app),
  )
  const isChosen = provider.id === selection.provider.id
  const choose = () => {
    setBuyDraft(app, { provider: provider.id })
    // An app may have opened this view first.
    if (isFromForm) goBack(app)
    else replaceView(app, { name: 'Buy' })
  }
  return (
    <Row
      start={<Picture src={undefined} name={provider.name} size={40} />}
      label={provider.name}
      detail={
        <>
          <SellerFees provider={provider} />
          {quote?.isEstimate && <span>{` · ${t('buy.estimate')}`}</span>}
        </>
      }
      end={
        <span className={own.offer}>
          {purchase && !quote && !isError && <SkeletonLine />}
          {quote && (
            <bdi className={own.number} translate="no">
              <span className={own.number} title={quote.purchaseAmount.amount}>
                {`≈ ${formatBought(quote.purchaseAmount.amount)}`}
              </span>{' '}
              {token.symbol}
            </bdi>
          )}
          {isChosen && <Icon name="check" />}
        </span>
      }
      aria-pressed={isChosen}
      onClick={choose}
    />
  )
}
