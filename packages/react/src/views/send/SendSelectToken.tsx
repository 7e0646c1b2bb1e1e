import { goBack, setSendDraft } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Search } from '../../parts/Search.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { TokenRow } from '../account/Tokens.tsx'
import styles from '../view.module.css'
import { getTokenKey, isSameToken } from './sendDraft.ts'

/** Selects a held token to send. */
export function SendSelectToken() {
  const app = useApp()
  const t = useT(enHoldings)
  const { data: balances = [], isLoading } = useBalances()
  const [typed, setTyped] = useState('')
  const word = typed.trim().toLowerCase()
  const found = balances.filter(({ name, symbol }) =>
    `${name} ${symbol}`.toLowerCase().includes(word),
  )
  return (
    <div className={styles.column}>
      <Search label={t('selectToken.search')} value={typed} onChange={setTyped} />
      {isLoading && <SkeletonRows rows={3} label={t('shell.loading')} />}
      <ul className={styles.list} aria-label={t('account.tokens')}>
        {found.map((balance) => (
          <li key={getTokenKey(balance)}>
            <TokenRow
              balance={balance}
              onChoose={() => {
                const token = getTokenKey(balance)
                // An amount of a token makes no sense for another token.
                const before = app.store.getState().sendDraft.token ?? 'native'
                setSendDraft(app, isSameToken(token, before) ? { token } : { token, amount: '' })
                goBack(app)
              }}
            />
          </li>
        ))}
      </ul>
      {!isLoading && found.length === 0 && (
        <EmptyState icon="search" title={t('selectToken.empty')}>
          {t(word === '' ? 'selectToken.emptyHint' : 'selectToken.notFoundHint')}
        </EmptyState>
      )}
    </div>
  )
}
