import { accountHistoryRoute, type ChainId, type HistoryTransaction } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { Plan } from '../namespaces/transferPlan.ts'
import { callRoute } from '../server/callRoute.ts'
import { isConnected, listConnections } from '../state.ts'

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
 * this browser, recipients of the account in `transactions` (newest first), and contacts. Contacts
 * are last, because a name that is given to an imitation makes it no older.
 */
export function getKnownAddresses(app: App, transactions: readonly HistoryTransaction[]): string[] {
  const accounts = listAccounts(app)
  const contacts = app.store.getState().contacts.map(({ address }) => address)
  const recipients = app.storage.get('recipients') ?? []
  const paid = listPaid(accounts, transactions).reverse()
  return [...new Set([...accounts, ...recipients, ...paid, ...contacts])]
}

/** Reads the latest transactions of the accounts in use for {@link getKnownAddresses}. */
export async function readKnownAddresses(app: App): Promise<string[]> {
  const connections = Object.values(app.store.getState().connections).filter(isConnected)
  const transactions = await Promise.all(
    connections.map(({ account: { address }, chainId }) =>
      readLatestTransactions(app, { address, chainId }),
    ),
  )
  return getKnownAddresses(app, transactions.flat())
}

/**
 * The addresses that the user has sent something to, the latest first: recipients of the account in
 * `transactions` (newest first), then of this browser. A called contract is not a recipient.
 */
export function getPastRecipients(app: App, transactions: readonly HistoryTransaction[]): string[] {
  const transfers = transactions.filter(
    ({ metadata: { operationType, application } }) =>
      operationType === 'send' && !application?.name,
  )
  const recipients = [...(app.storage.get('recipients') ?? [])].reverse()
  return [...new Set([...listPaid(listAccounts(app), transfers), ...recipients])]
}

const listAccounts = ({ store }: App): string[] =>
  listConnections(store.getState()).flatMap(({ accounts }) =>
    accounts.map(({ address }) => address),
  )

function listPaid(accounts: readonly string[], transactions: readonly HistoryTransaction[]) {
  const own = new Set(accounts.map((address) => address.toLowerCase()))
  return transactions.flatMap(({ metadata: { sentFrom, sentTo, status }, transfers }) => {
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
}

/** The account's latest transactions, newest first; empty if the server does not list them. */
export async function readLatestTransactions(
  app: App,
  { address, chainId, signal }: { address: string; chainId: ChainId; signal?: AbortSignal },
): Promise<readonly HistoryTransaction[]> {
  const { data } = await callRoute(app, {
    route: accountHistoryRoute,
    params: { address },
    query: { chainId },
    ...(signal && { signal }),
  }).catch(() => ({ data: [] }))
  return data
}
