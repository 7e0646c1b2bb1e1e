import {
  getCustomWallets,
  getPlatform,
  searchWaitMs,
  walletImageUrl,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getQueryClient, walletsQuery } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useLatestCallback } from '../../app/useLatestCallback.ts'
import { enConnecting } from '../../locales/enConnecting.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Search } from '../../parts/Search.tsx'
import { SkeletonCards } from '../../parts/Skeleton.tsx'
import views from '../view.module.css'
import styles from './AllWallets.module.css'
import { canConnect, chooseWallet, getConnectionMethods, methodTags } from './connectionMethods.ts'
import { OpenInWallet } from './OpenInWallet.tsx'
import { findConnectors } from './walletRows.ts'

const FIRST_CARDS = 16
const MORE_CARDS = 4

/** The whole directory: a search, and a grid that loads more as it scrolls. */
export function AllWallets() {
  const app = useApp()
  const t = useT(enConnecting)
  const [typed, setTyped] = useState('')
  const trimmed = typed.trim()
  const search = useDebounced(trimmed, searchWaitMs)
  const query = useInfiniteQuery(walletsQuery(app, { search }), getQueryClient(app))
  const custom = getCustomWallets(app).filter(({ name }) => isFound(name, search))
  const listed = query.data?.pages.flatMap((page) => page.wallets) ?? []
  const wallets = query.data ? [...custom, ...listed] : []
  // A wallet that is installed meanwhile changes the list.
  useAppState((state) => state.connectors)
  const unique = [...new Map(wallets.map((wallet) => [wallet.id, wallet])).values()].filter(
    (wallet) => canConnect(app, wallet),
  )
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  // Loaded wallets stay if a further page fails; the user can retry it.
  const hasFailed = data ? query.isFetchNextPageError : query.isError

  return (
    <div className={styles.view}>
      <div className={styles.search}>
        <Search label={t('allWallets.search')} value={typed} onChange={setTyped} />
      </div>
      <p className={views.hidden} role="status">
        {search !== '' && data && t('allWallets.found', { count: unique.length })}
      </p>
      {data && unique.length === 0 && !hasNextPage ? (
        search === '' && getPlatform({ page: app.environment.page }).isPhone ? (
          <OpenInWallet />
        ) : (
          <EmptyState icon="search" title={t('allWallets.empty')}>
            {t('allWallets.emptyHint', { search })}
          </EmptyState>
        )
      ) : (
        <div className={styles.grid} aria-busy={query.isPending || undefined}>
          {unique.map((wallet) => (
            <Card key={wallet.id} wallet={wallet} />
          ))}
          {query.isPending && <SkeletonCards cards={FIRST_CARDS} />}
          {isFetchingNextPage && <SkeletonCards cards={MORE_CARDS} />}
        </div>
      )}
      {hasFailed && (
        <EmptyState
          icon="alert"
          role="alert"
          title={t('allWallets.failed')}
          action={
            <Button
              variant="quiet"
              busy={isFetchingNextPage}
              onClick={() => (data ? fetchNextPage() : query.refetch())}
            >
              {t('action.tryAgain')}
            </Button>
          }
        />
      )}
      {hasNextPage && !isFetchingNextPage && !hasFailed && (
        <Sentinel key={data?.pages.length} onSeen={() => fetchNextPage()} />
      )}
    </div>
  )
}

const isFound = (name: string, search: string) => name.toLowerCase().includes(search.toLowerCase())

function Card({ wallet }: { wallet: DirectoryWallet }) {
  const app = useApp()
  const here = useAppState((state) => findConnectors(wallet, state.connectors)[0])
  const t = useT()
  const [method] = getConnectionMethods(app, wallet)
  const { name, image_id } = wallet
  return (
    <button
      type="button"
      className={styles.card}
      title={name}
      onClick={() => chooseWallet(app, wallet)}
    >
      <Picture src={here?.iconUrl ?? walletImageUrl(app, image_id)} name={name} size={56} />
      <span className={styles.name}>{name}</span>
      <span className={styles.method}>{t(method ? methodTags[method] : 'tag.get')}</span>
    </button>
  )
}

/** An invisible line below the list; when it is nearly visible, more is loaded. */
function Sentinel({ onSeen }: { onSeen: () => void }) {
  const line = useRef<HTMLDivElement>(null)
  const handleSeen = useLatestCallback(onSeen)
  useEffect(() => {
    const element = line.current
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && handleSeen(),
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [handleSeen])
  return <div ref={line} className={styles.sentinel} />
}
