import type { WalletAddresses } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { parseChains } from '../../chains.ts'
import { readWalletHoldings } from '../../flows/migration/readWalletHoldings.ts'
import { fill } from '../../locales/en.ts'
import { migration as t } from '../../locales/migration.en.ts'
import type { PageProps } from '../pageProps.ts'

type Props = Pick<PageProps, 'read' | 'facts'> & { addresses: WalletAddresses }

/** The wallet's balance of each network's native currency. */
export function HoldingsList({ read, facts, addresses }: Props) {
  const [holdings, setHoldings] = useState<Awaited<ReturnType<typeof readWalletHoldings>>>()
  useEffect(() => {
    const closing = new AbortController()
    const { signal } = closing
    void readWalletHoldings({ read, chains: parseChains(facts), addresses, signal }).then(
      (found) => {
        if (!signal.aborted) setHoldings(found)
      },
    )
    return () => closing.abort()
  }, [read, facts, addresses])
  const shown = holdings?.filter(({ amount }) => amount !== '0')
  return (
    <section className="device" aria-label={t.holdings} aria-busy={holdings === undefined}>
      <span className="strong">{t.holdings}</span>
      <ul className="list">
        {shown?.map(({ chain, amount }) => (
          <li key={chain.id} className="small">
            {amount === undefined
              ? fill(t.unread, { network: chain.name })
              : `${amount} ${chain.symbol} · ${chain.name}`}
          </li>
        ))}
        {shown?.length === 0 && <li className="small">{t.holdingsNone}</li>}
      </ul>
      <span className="small quiet">{t.holdingsHint}</span>
    </section>
  )
}
