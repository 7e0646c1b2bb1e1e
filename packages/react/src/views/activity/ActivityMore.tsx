import { useEffect, useRef } from 'react'
import type { useActivity } from '../../hooks/useActivity.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../account/ActivityList.module.css'

/**
 * Loads the next page when it scrolls into view; also a button, for users who do not scroll. If
 * patient, it waits for the button: in a short list it would stay in view, and load everything.
 */
export function ActivityMore({
  history,
  isPatient,
}: {
  history: ReturnType<typeof useActivity>
  isPatient: boolean
}) {
  const t = useT(enActivity)
  const place = useRef<HTMLDivElement>(null)
  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = history
  const mayLoad = !isPatient && !history.isFetching && !isFetchNextPageError
  useEffect(() => {
    const element = place.current
    if (!element || !mayLoad) return
    const observer = new IntersectionObserver((entries) => {
      // A busy page announces several at once, the newest last.
      if (entries.at(-1)?.isIntersecting) void fetchNextPage()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [mayLoad, fetchNextPage])
  return (
    <div ref={place} className={styles.more}>
      {isFetchingNextPage && <SkeletonRows rows={2} label={t('activity.loadingMore')} />}
      {isFetchNextPageError && (
        <p className={styles.failed} role="alert">
          {t('activity.moreFailed')}
        </p>
      )}
      <Button variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchNextPageError ? t('action.tryAgain') : t('activity.loadMore')}
      </Button>
    </div>
  )
}
