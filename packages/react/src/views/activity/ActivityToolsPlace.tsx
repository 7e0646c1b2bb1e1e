import type { ActivityMatcher } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useLatestCallback } from '../../app/useLatestCallback.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './ActivityTools.module.css'

/** How many transactions a list has at least before it can be searched. */
const searchable = 6

const loadTools = () => import('./ActivityTools.tsx').then(({ ActivityTools }) => ActivityTools)

/**
 * The place of search, filter and export above a list, which has its size before their code has
 * loaded; if compact, only a button that opens the search.
 */
export function ActivityToolsPlace({
  isCompact,
  loaded,
  found,
  hasMore,
  onMatch,
}: {
  isCompact: boolean
  /** How many transactions are loaded. */
  loaded: number
  /** How many of them match; undefined without a search. */
  found: number | undefined
  hasMore: boolean
  onMatch: (matches: ActivityMatcher | undefined) => void
}) {
  const t = useT(enActivity)
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || !isCompact
  // Once there was a search, it stays, with the words that the user has typed.
  const [hasSearch, setHasSearch] = useState(false)
  if (loaded >= searchable && !hasSearch) setHasSearch(true)
  const { value: ActivityTools, status } = useLazyImport(loadTools, isShown)
  const report = useLatestCallback(onMatch)
  useEffect(() => () => report(undefined), [report])
  const toggle = () => {
    if (isOpen) report(undefined)
    setIsOpen(!isOpen)
  }
  if (isCompact && !hasSearch) return null
  return (
    <div>
      {isCompact && (
        <Button variant="text" icon="search" aria-expanded={isOpen} onClick={toggle}>
          {t('activity.tools')}
        </Button>
      )}
      {isShown && status !== 'failed' && (
        <div className={styles.tools} data-search={hasSearch || undefined}>
          {ActivityTools && (
            <ActivityTools
              hasSearch={hasSearch}
              hasExport={!isCompact}
              found={found}
              hasMore={hasMore}
              onMatch={report}
            />
          )}
        </div>
      )}
    </div>
  )
}
