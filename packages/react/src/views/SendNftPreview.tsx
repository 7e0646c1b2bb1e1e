import {
  goBack,
  networkImageUrl,
  pushView,
  resetViews,
  type SendParameters,
  type SendPlan,
  send,
} from '@latchkey/core'
import { isError, type NftDetail } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { planQuery } from '../accountQueries.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { useAction } from '../hooks/useAction.ts'
import { useApp } from '../hooks/useApp.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useHoldingsT } from '../hooks/useHoldingsT.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { nftQuery } from '../nftQueries.ts'
import { Button } from '../parts/Button.tsx'
import { Face } from '../parts/Face.tsx'
import { NftPicture } from '../parts/NftPicture.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Picture } from '../parts/Picture.tsx'
import { RemoteHint } from '../parts/RemoteHint.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import { queryClientOf } from '../queries.ts'
import type { ViewProps } from '../views.ts'
import { Fact, Fee } from './Fee.tsx'
import { nftName } from './nftText.ts'
import sheet from './SendNft.module.css'
import styles from './SendPreview.module.css'

/** Everything about sending an NFT on one screen: which one, to whom, on which network, at what cost. */
export function SendNftPreview({ view }: ViewProps<'SendNftPreview'>) {
  const app = useApp()
  const t = useHoldingsT()
  const { nft, receiver, amount } = view
  const { address } = useAccount()
  const { network } = useNetwork()
  const { balances } = useBalance()
  const { data } = useQuery(nftQuery(app, { nft, owner: address }), queryClientOf(app))
  const isHere = network.caipNetworkId === nft.chainId
  const plan = useQuery(
    planQuery(app, {
      address,
      chainId: nft.chainId,
      sending: isHere && data ? toSending(view, data) : undefined,
    }),
    queryClientOf(app),
  )
  const sending = useAction(send)
  const isSending = sending.status === 'pending'
  if (data === undefined) return <SkeletonRows rows={4} label={t('shell.loading')} />
  if (!isHere || address === undefined) {
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
      <div className={styles.what}>
        <div className={styles.side}>
          <div>
            <p className={styles.label}>{t('nft.sendTitle')}</p>
            <p className={styles.named}>
              {data.standard === 'erc1155' && `${amount} × `}
              <bdi>{nftName(data)}</bdi>
            </p>
            <p className={styles.label}>
              <bdi>{data.collection.name ?? data.collection.symbol}</bdi>
            </p>
          </div>
          <span className={sheet.small}>
            <NftPicture nft={data} />
          </span>
        </div>
        <div className={styles.side}>
          <div>
            <p className={styles.label}>{t('preview.to')}</p>
            {receiver.name !== undefined && (
              <p className={styles.named}>
                <bdi>{receiver.name}</bdi>
              </p>
            )}
            <p className={styles.address}>{receiver.address}</p>
          </div>
          <Face address={receiver.address} imageUrl={receiver.imageUrl} size={40} />
        </div>
        <div className={styles.side}>
          <div>
            <p className={styles.label}>{t('preview.from')}</p>
            <p className={styles.address}>{address}</p>
          </div>
        </div>
      </div>
      <dl className={styles.facts}>
        <Fact name={t('preview.network')}>
          <Picture src={networkImageUrl(app, network)} name={network.name} size={20} round />
          {network.name}
        </Fact>
        <Fact name={t('preview.fee')}>
          <Fee plan={plan.data} isError={plan.isError} balances={balances ?? []} />
        </Fact>
      </dl>
      {plan.data?.isToContract && <p className={sheet.notice}>{t('nft.toContract')}</p>}
      <p className={styles.warning}>{t('preview.warning')}</p>
      <p className={styles.error} role="alert">
        <Problem error={isSending ? undefined : (plan.error ?? sending.error)} />
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

/** What core needs to send an NFT: its contract's token without decimals. */
const toSending = (
  { nft, receiver, amount }: ViewProps<'SendNftPreview'>['view'],
  detail: NftDetail,
): SendParameters => ({
  to: receiver.address,
  amount: detail.standard === 'erc721' ? '1' : amount,
  token: {
    address: nft.contract,
    symbol: detail.collection.symbol ?? '',
    decimals: 0,
    nft: { standard: detail.standard, tokenId: nft.tokenId },
  },
})

function Problem({ error }: { error: unknown }) {
  const t = useHoldingsT()
  if (error === undefined || error === null) return null
  if (isError(error, 'USER_REJECTED')) return t('preview.declined')
  if (isError(error, 'INSUFFICIENT_FUNDS')) return t('nft.notHeld')
  if (isError(error, 'RPC_FAILED')) return t('nft.refused')
  return error instanceof Error ? error.message : String(error)
}
