import { goBack, setBuyDraft, tokenImageUrl } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row } from '../../parts/Row.tsx'
import { Search } from '../../parts/Search.tsx'
import styles from '../view.module.css'
import { BuyNotice } from './BuyNotice.tsx'
import { useBuySelection } from './useBuySelection.ts'

/** From how many tokens on a search is offered. */
const searchFrom = 6

/** Selects the asset to buy. */
export function OnRampTokenSelect() {
  const app = useApp()
  const t = useT(enBuy)
  const state = useBuySelection()
  const [typed, setTyped] = useState('')
  const { selection, options, address } = state
  if (!selection || !options || address === undefined) return <BuyNotice {...state} />
  const word = typed.trim().toLowerCase()
  const found = options.tokens.filter(({ name, symbol }) =>
    `${name} ${symbol}`.toLowerCase().includes(word),
  )
  return (
    <div className={styles.column}>
      {options.tokens.length >= searchFrom && (
        <Search label={t('buy.search')} value={typed} onChange={setTyped} />
      )}
      <ul className={styles.list} aria-label={t('account.tokens')}>
        {found.map(({ asset, name, symbol }) => (
          <li key={asset}>
            <Row
              start={<Picture src={tokenImageUrl(app, symbol)} name={symbol} size={40} round />}
              label={name}
              detail={symbol}
              end={asset === selection.token.asset && <Icon name="check" />}
              aria-pressed={asset === selection.token.asset}
              onClick={() => {
                setBuyDraft(app, { asset })
                goBack(app)
              }}
            />
          </li>
        ))}
      </ul>
      {found.length === 0 && <EmptyState icon="search" title={t('buy.notFound')} />}
    </div>
  )
}
