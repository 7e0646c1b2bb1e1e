import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadPrices } from '../openPrices.ts'
import type { Quote } from '../price.ts'

type Readers = { readonly readPrices: ReadPrices; readonly readDayPrices: ReadPrices }

/** How long a query of prices waits for the prices of a day ago. */
const patienceMs = 150

/**
 * Makes `readPrices` add to each price its change over a day. Both prices are read at the same
 * time. The change is missing if the price of a day ago is unknown or late.
 */
export const addPriceChanges =
  ({ readPrices, readDayPrices }: Readers): ReadPrices =>
  async (query) => {
    const { chainId, tokens } = query
    const tooLate = sleep(patienceMs, undefined, { ref: false })
    const reading = Promise.race([readDayPrices({ chainId, tokens }), tooLate])
    const [quotes, before] = await Promise.all([readPrices(query), reading])
    return quotes.map((quote, index) => addChange(quote, before?.[index]))
  }

function addChange(quote: Quote | undefined, before: Quote | undefined): Quote | undefined {
  if (quote === undefined || before === undefined || before.price === 0n) return quote
  // Two sources always differ a little, which is no change.
  if ((quote.source === 'outside') !== (before.source === 'outside')) return quote
  const change = Number(((quote.price - before.price) * 10_000n) / before.price) / 100
  return { ...quote, change }
}
