import { accountHistoryRoute, type ChainId, type HistoryTransaction } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Plan } from '../namespaces/transferPlan.ts'
import { callRoute } from '../server/callRoute.ts'
import { isConnected } from '../state.ts'

/** How many recipients are kept. */
const maxRecipients = 200

/** Saves the recipient of a transfer, so that similar addresses can be detected later. */
export function rememberRecipients({ storage }: App, { steps }: Pick<Plan, 'steps'>): void {
  const before = storage.get('recipients') ?? []
  const all = new Set([...before, ...steps.map(({ to }) => to)])
  if (all.size > before.length) storage.set('recipients', [...all].slice(-maxRecipients))
}

/**
 * The addresses that the user knows, longest known first: the connected accounts, recipients of
 * this browser, and recipients of the account in `transactions` (newest first).
 */
export function getKnownAddresses(
  { store, storage }: App,
  transactions: readonly HistoryTransaction[],
): string[] {
  const accounts = Object.values(store.getState().connections).flatMap((connection) =>
    isConnected(connection) ? connection.accounts.map(({ address }) => address) : [],
  )
  const own = new Set(accounts.map((address) => address.toLowerCase()))
  const paid = transactions.flatMap(({ metadata: { sentFrom, sentTo, status }, transfers }) => {
    // Any contract can write a transfer of any account into its log, so only listed tokens count,
    // which have a picture.
    const hasSent = transfers.some(
      ({ direction, quantity, address, fungible_info }) =>
        direction === 'out' &&
        Number(quantity.numeric) > 0 &&
        (address === undefined || Boolean(fungible_info?.icon?.url)),
    )
    return hasSent && status === 'confirmed' && own.has(sentFrom.toLowerCase()) ? [sentTo] : []
  })
  return [...new Set([...accounts, ...(storage.get('recipients') ?? []), ...paid.reverse()])]
}

/**
 * The addresses that the user knows, with the account's latest transactions if the server lists
 * them.
 */
export async function readKnownAddresses(
  app: App,
  { address, chainId, signal }: { address: string; chainId: ChainId; signal?: AbortSignal },
): Promise<string[]> {
  const { data } = await callRoute(app, {
    route: accountHistoryRoute,
    params: { address },
    query: { chainId },
    ...(signal && { signal }),
  }).catch(() => ({ data: [] }))
  return getKnownAddresses(app, data)
}
