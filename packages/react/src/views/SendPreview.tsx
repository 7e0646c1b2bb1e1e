import {
  goBack,
  networkImageUrl,
  pushView,
  resetViews,
  type SendDraft,
  type SendPlan,
  send,
  tokenImageUrl,
} from '@latchkey/core'
import { type Balance, isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { planQuery } from '../accountQueries.ts'
import { useLatchkey } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { useAction } from '../hooks/useAction.ts'
import { useApp } from '../hooks/useApp.ts'
import { useAppState } from '../hooks/useAppState.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useT } from '../hooks/useT.ts'
import { Button } from '../parts/Button.tsx'
import { Face } from '../parts/Face.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Picture } from '../parts/Picture.tsx'
import { RemoteHint } from '../parts/RemoteHint.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import { queryClientOf } from '../queries.ts'
import type { ViewProps } from '../views.ts'
import { dollars } from './dollars.ts'
import { Fact, Fee } from './Fee.tsx'
import styles from './SendPreview.module.css'
import { chosenToken, toSending } from './sendDraft.ts'

/** Everything about a sending on one screen: what leaves, to whom, on which network, at what cost. */
export function SendPreview({ view }: ViewProps<'SendPreview'>) {
  const app = useApp()
  const t = useT()
  const { address } = useAccount()
  const { network } = useNetwork()
  const current = useAppState((state) => state.sendDraft)
  // A sent draft is emptied at once; what was reviewed stays on the screen until the next view.
  const [draft] = useState(current)
  const { balances, isPending } = useBalance()
  const balance = chosenToken(balances ?? [], draft)
  const plan = useQuery(
    planQuery(app, {
      address,
      chainId: network.caipNetworkId,
      sending: balance && toSending(draft, balance),
    }),
    queryClientOf(app),
  )
  const sending = useAction(send)
  const isSending = sending.status === 'pending'

  if (isPending) return <SkeletonRows rows={4} label={t('shell.loading')} />
  if (balance === undefined || draft.amount === '' || address === undefined) {
    return (
      <Notice
        icon="alert"
        title={t('preview.incomplete')}
        action={<Button onClick={() => goBack(app)}>{t('preview.backToForm')}</Button>}
      />
    )
  }
  const submit = async (ready: SendPlan) => {
    const hash = await sending.run({ plan: ready })
    if (app.store.getState().modal.history.at(-1) !== view) return
    resetViews(app, { name: 'Account' })
    pushView(app, { name: 'SendConfirmed', hash })
  }
  return (
    <div className={styles.view}>
      <What balance={balance} draft={draft} from={address} />
      <dl className={styles.facts}>
        <Fact name={t('preview.network')}>
          <Picture src={networkImageUrl(app, network)} name={network.name} size={20} round />
          {network.name}
        </Fact>
        <Fact name={t('preview.fee')}>
          <Fee plan={plan.data} isError={plan.isError} balances={balances ?? []} />
        </Fact>
      </dl>
      <p className={styles.warning}>{t('preview.warning')}</p>
      <p className={styles.error} role="alert">
        {plan.isError && !isSending && messageOf(plan.error)}
        {sending.status === 'error' &&
          (isError(sending.error, 'USER_REJECTED')
            ? t('preview.declined')
            : messageOf(sending.error))}
      </p>
      {isSending && <RemoteHint />}
      <div className={styles.buttons}>
        <Button look="quiet" onClick={() => goBack(app)}>
          {t('action.cancel')}
        </Button>
        {plan.isError ? (
          <Button icon="retry" onClick={() => plan.refetch()}>
            {t('action.tryAgain')}
          </Button>
        ) : (
          <Button
            busy={isSending || plan.data === undefined}
            onClick={() => plan.data && submit(plan.data).catch(() => {})}
          >
            {isSending ? t('preview.waiting') : plan.data ? t('preview.send') : t('send.preparing')}
          </Button>
        )}
      </div>
    </div>
  )
}

function What({ balance, draft, from }: { balance: Balance; draft: SendDraft; from: string }) {
  const app = useApp()
  const t = useT()
  const { locale } = useLatchkey()
  const { symbol, price, iconUrl } = balance
  const { amount, receiverAddress: to, receiverProfileName: name } = draft
  return (
    <div className={styles.what}>
      <div className={styles.side}>
        <div>
          <p className={styles.label}>{t('preview.sending')}</p>
          <p className={styles.amount}>
            {amount} <small>{symbol}</small>
          </p>
          {price !== undefined && (
            <p className={styles.label}>{dollars(Number(amount) * price, locale)}</p>
          )}
        </div>
        <Picture src={iconUrl || tokenImageUrl(app, symbol)} name={symbol} round />
      </div>
      <div className={styles.side}>
        <div>
          <p className={styles.label}>{t('preview.to')}</p>
          {name !== undefined && (
            <p className={styles.named}>
              <bdi>{name}</bdi>
            </p>
          )}
          <p className={styles.address}>{to}</p>
        </div>
        <Face address={to} imageUrl={draft.receiverProfileImage} size={40} />
      </div>
      <div className={styles.side}>
        <div>
          <p className={styles.label}>{t('preview.from')}</p>
          <p className={styles.address}>{from}</p>
        </div>
      </div>
    </div>
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
