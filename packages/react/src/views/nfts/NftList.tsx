import type { NftRef } from '@latchkey/core'
import { useEffect, useState } from 'react'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useNfts } from '../../hooks/useNfts.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { CollectionStrip, SkeletonStrip } from './CollectionStrip.tsx'
import { NftCard } from './NftCard.tsx'
import styles from './Nfts.module.css'

/**
 * The account's NFTs as previews. `grid` shows all of them; suspected spam is hidden until the user
 * shows it. `strip` is a row by collection that scrolls sideways, without spam. It shows the NFTs
 * that have loaded.
 */
export function NftList({
  look = 'grid',
  onChoose,
}: {
  look?: 'grid' | 'strip'
  onChoose: (nft: NftRef) => void
}) {
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

  const isStrip = look === 'strip'
  const Skeleton = isStrip ? SkeletonStrip : SkeletonGrid
  if (isLoading) return <Skeleton label={t('shell.loading')} />
  // A grid has a button that requests the next page again.
  if (visible === undefined || (isStrip && count === 0 && hasNextPage && !isWaiting))
    return <FailedState title={t('nft.failed')} retry={() => refetch()} />
  return (
    <div className={styles.whole} data-look={look}>
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
      {count === 0 && isWaiting && <Skeleton label={t('shell.loading')} />}
      {isStrip && count > 0 && (
        <CollectionStrip nfts={visible} hasMore={hasNextPage} onChoose={onChoose} />
      )}
      {!isStrip && (
        <>
          <ul className={styles.grid} aria-label={t('nft.list')} hidden={count === 0}>
            {visible.map((nft) => (
              <li key={`${nft.address}/${nft.tokenId}`}>
                <NftCard nft={nft} onChoose={onChoose} />
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
              <Button
                variant="text"
                aria-expanded={showsSpam}
                onClick={() => setShowsSpam(!showsSpam)}
              >
                {showsSpam ? t('nft.hideAgain') : t('nft.showHidden', { count: spam.length })}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}

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
