import type { Network } from '@latchkey/core'
import { formatDollars, networkImageUrl, useApp } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Choice } from '../parts/Choice.tsx'
import { Logo } from '../parts/Logo.tsx'
import { isSmall, type TokenFilter } from './filterTokens.ts'
import { type NetworkBalance, sumRows } from './useHoldings.ts'

/** With so many tokens, a search helps. */
const manyTokens = 8

/** The fields that filter the tokens; each only if there is something to filter. */
export function TokenFilters({
  networks,
  rows,
  filter,
  onChange,
}: {
  networks: readonly Network[]
  rows: readonly NetworkBalance[]
  filter: TokenFilter
  onChange: (filter: TokenFilter) => void
}) {
  const app = useApp()
  return (
    <>
      {rows.length > manyTokens && (
        <input
          type="search"
          className="search"
          aria-label={text('portfolio.search')}
          placeholder={text('portfolio.search')}
          value={filter.search}
          onChange={(event) => onChange({ ...filter, search: event.target.value })}
        />
      )}
      {rows.some(isSmall) && (
        <button
          type="button"
          className="chip"
          aria-pressed={filter.hidesSmall}
          onClick={() => onChange({ ...filter, hidesSmall: !filter.hidesSmall })}
        >
          {text('portfolio.hideSmall')}
        </button>
      )}
      {/* The last in the row: the others appear with the data, and do not move it. */}
      {networks.length > 1 && (
        <Choice
          label={text('portfolio.show')}
          look="chip"
          value={filter.chainId}
          options={[
            { value: 'all', label: text('portfolio.all'), fact: addUp(rows) },
            ...networks.map((network) => ({
              value: network.caipNetworkId,
              label: network.name,
              picture: <Logo src={networkImageUrl(app, network)} name={network.name} />,
              fact: addUp(rows.filter((row) => row.network === network)),
            })),
          ]}
          onChange={(chainId) => onChange({ ...filter, chainId })}
        />
      )}
    </>
  )
}

function addUp(rows: readonly NetworkBalance[]): string | undefined {
  const sum = sumRows(rows)
  return sum === undefined ? undefined : formatDollars(sum)
}
