import { PortfolioHistory } from '@latchkey/react'
import type { PricePeriod, PricePoint } from '@latchkey/wire'
import type { HeldAccount } from './useHoldings.ts'

/** The value of accounts over time, as wide as the card. */
export const ValueLine = ({
  accounts,
  total,
  onPoint,
  onPeriod,
}: {
  accounts: readonly HeldAccount[]
  total: number | undefined
  onPoint: (point: PricePoint | undefined) => void
  onPeriod: (period: PricePeriod) => void
}) => (
  <PortfolioHistory
    accounts={accounts}
    now={total}
    look="wide"
    isExpected={isLineExpected()}
    onKnown={rememberLine}
    onPoint={onPoint}
    onPeriod={onPeriod}
  />
)

const storageKey = 'latchkey.web.noChart'

/** Whether the line takes its space: unless there was none when that was last known. */
function isLineExpected(): boolean {
  try {
    return localStorage.getItem(storageKey) === null
  } catch {
    return true
  }
}

function rememberLine(hasLine: boolean): void {
  try {
    if (hasLine) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, '')
  } catch {
    // Without storage, a missing line moves what is below it.
  }
}
