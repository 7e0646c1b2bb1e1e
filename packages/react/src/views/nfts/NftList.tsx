import type { NftRef } from '@latchkey/core'
import type { Nft } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useNfts } from '../../hooks/useNfts.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { NftPicture } from './NftPicture.tsx'
import styles from './Nfts.module.css'
import { nftName, nftRef } from './nftText.ts'

/** The account's NFTs as a grid of previews; suspected spam is hidden until the user shows it. */
export function NftList({ onChoose }: { onChoose: (nft: NftRef) => void }) {
  const t = useT(enHoldings)
  const { network } = useNetwork()
  const query = useNfts()
  const { data: nfts, error, isLoading, isComplete, refetch } = query
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const [showsSpam, setShowsSpam] = useState(false)
  const spam = nfts?.filter(({ isSpam }) => isSpam) ?? []
  const visible = showsSpam ? nfts : nfts?.filter(({ isSpam }) => !isSpam)
  const count = visible?.length ?? 0
  // A page may contain only spam: more pages are loaded until something is visible.
  const [minCount, setMinCount] = useState(1)
  const isWaiting = hasNextPage && !error && count < minCount
  useEffect(() => {
    if (isWaiting && !isFetchingNextPage) void fetchNextPage()
  }, [isWaiting, isFetchingNextPage, fetchNextPage])

  if (isLoading) return <SkeletonGrid label={t('shell.loading')} />
  if (visible === undefined) {
    return <FailedState title={t('nft.failed')} retry={() => refetch()} />
  }
  return (
    <div className={styles.whole}>
      {visible.length === 0 &&
        !hasNextPage &&
        (isComplete ? (
          <EmptyState icon="image" title={t(spam.length > 0 ? 'nft.allHidden' : 'nft.empty')}>
            {t('nft.emptyHint', { network: network.name })}
          </EmptyState>
        ) : (
          <EmptyState icon="clock" role="status" title={t('nft.searching')}>
            {t('nft.searchingHint')}
          </EmptyState>
        ))}
      {count === 0 && isWaiting && <SkeletonGrid label={t('shell.loading')} />}
      <ul className={styles.grid} aria-label={t('nft.list')} hidden={visible.length === 0}>
        {visible.map((nft) => (
          <li key={`${nft.address}/${nft.tokenId}`}>
            <Card nft={nft} onChoose={() => onChoose(nftRef(nft))} />
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        {hasNextPage && (
          <Button
            variant="quiet"
            busy={isFetchingNextPage || isWaiting}
            onClick={() => (error ? fetchNextPage() : setMinCount(count + 1))}
          >
            {error && !isFetchingNextPage ? t('action.tryAgain') : t('nft.more')}
          </Button>
        )}
        {spam.length > 0 && (
          <Button variant="text" aria-expanded={showsSpam} onClick={() => setShowsSpam(!showsSpam)}>
            {showsSpam ? t('nft.hideAgain') : t('nft.showHidden', { count: spam.length })}
          </Button>
        )}
      </div>
    </div>
  )
}

function Card({ nft, onChoose }: { nft: Nft; onChoose: () => void }) {
  const t = useT(enHoldings)
  const name = nftName(nft)
  return (
    <button type="button" className={styles.card} title={name} onClick={onChoose}>
      <NftPicture nft={nft} />
      <bdi translate="no" className={styles.name}>
        {name}
      </bdi>
      <bdi translate="no" className={styles.collection}>
        {nft.collection.name ?? nft.collection.symbol}
      </bdi>
      {nft.isSpam && <span className={styles.spam}>{t('nft.spamMark')}</span>}
      {nft.quantity !== '1' && (
        <span className={styles.count}>
          <span aria-hidden="true">×{short(nft.quantity)}</span>
          <span className={styles.hidden}>{t('nft.some', { count: nft.quantity })}</span>
        </span>
      )}
    </button>
  )
}

/** A short quantity that fits on a picture. */
const short = (quantity: string) => (quantity.length > 6 ? '999999+' : quantity)

const SkeletonGrid = ({ label }: { label: string }) => (
  <div className={styles.grid} role="status" aria-label={label}>
    {[1, 2, 3, 4].map((number) => (
      <div key={number} aria-hidden="true">
        <span className={styles.wait} data-part="picture" />
        <span className={styles.wait} data-part="line" />
      </div>
    ))}
  </div>
)
