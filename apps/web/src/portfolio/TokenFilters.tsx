import type { Network } from '@latchkey/core'
import { text } from '../locales/text.ts'
import { isSmall, type TokenFilter } from './filterTokens.ts'
import type { NetworkBalance } from './useHoldings.ts'

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
        <label className="check small">
          <input
            type="checkbox"
            checked={filter.hidesSmall}
            onChange={(event) => onChange({ ...filter, hidesSmall: event.target.checked })}
          />
          {text('portfolio.hideSmall')}
        </label>
      )}
      {/* The last in the row: the others appear with the data, and do not move it. */}
      {networks.length > 1 && (
        <select
          className="scope"
          aria-label={text('portfolio.show')}
          value={filter.chainId}
          onChange={(event) => onChange({ ...filter, chainId: event.target.value })}
        >
          <option value="all">{text('portfolio.all')}</option>
          {networks.map(({ caipNetworkId, name }) => (
            <option key={caipNetworkId} value={caipNetworkId}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
