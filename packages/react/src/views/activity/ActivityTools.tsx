import {
  type ActivityKind,
  type ActivityMatcher,
  activityKinds,
  searchActivity,
} from '@latchkey/core/internal'
import { useId, useState } from 'react'
import { enActivityTools } from '../../locales/activity/enActivityTools.ts'
import { useT } from '../../locales/useT.ts'
import { Search } from '../../parts/Search.tsx'
import views from '../view.module.css'
import styles from './ActivityTools.module.css'
import { ExportActivity } from './ExportActivity.tsx'

/** A search in the loaded transactions, a filter by kind, and the export of all transactions. */
export function ActivityTools({
  hasSearch,
  hasExport,
  found,
  hasMore,
  onMatch,
}: {
  hasSearch: boolean
  hasExport: boolean
  /** How many transactions match; undefined without a search. */
  found: number | undefined
  /** More transactions can be loaded. */
  hasMore: boolean
  onMatch: (matches: ActivityMatcher | undefined) => void
}) {
  const t = useT(enActivityTools)
  const name = useId()
  const [query, setQuery] = useState('')
  const [kind, setKind] = useState<ActivityKind>()
  const search = (next: { query: string; kind: ActivityKind | undefined }) => {
    setQuery(next.query)
    setKind(next.kind)
    onMatch(searchActivity(next))
  }
  return (
    <>
      <div className={styles.line}>
        {hasSearch && (
          <Search
            label={t('tools.search')}
            value={query}
            onChange={(typed) => search({ query: typed, kind })}
          />
        )}
        {hasExport && <ExportActivity />}
      </div>
      {hasSearch && (
        <fieldset className={styles.kinds}>
          <legend className={views.hidden}>{t('tools.kind')}</legend>
          {[undefined, ...activityKinds].map((each) => (
            <label key={each ?? 'all'} className={styles.kind}>
              <input
                type="radio"
                name={name}
                checked={each === kind}
                onChange={() => search({ query, kind: each })}
              />
              {t(`tools.${each ?? 'all'}`)}
            </label>
          ))}
        </fieldset>
      )}
      <p className={styles.message} role="status">
        {found !== undefined &&
          (found === 0 ? t('tools.none') : t('tools.found', { count: found }))}
      </p>
      {found !== undefined && hasMore && <p className={styles.message}>{t('tools.partly')}</p>}
    </>
  )
}
