import {
  type ChainId,
  findLookalike,
  type HistoryTransaction,
  type Namespace,
  parseChainId,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { isSameAddress, isZeroAddress, namespaceMetadata } from '../namespaces/namespaceMetadata.ts'
import { getKnownAddresses, getPastRecipients } from '../send/knownAddresses.ts'
import { type Contact, isConnected } from '../state.ts'
import { getNameKey } from './contacts.ts'

/** How many contacts are offered, and how many other addresses. */
const maxOffered = 5

/** A receiver to choose: `name` if it is a contact. */
export type OfferedReceiver = { address: string; name?: string }

/**
 * The receivers to offer on a network for what the user has typed: contacts by name, then addresses
 * that the user has sent something to, the latest first. `transactions` are the account's latest
 * transactions, newest first. Nothing that imitates a known address is offered as used before.
 */
export function offerReceivers(
  app: App,
  {
    chainId,
    typed,
    contacts,
    transactions,
  }: {
    chainId: ChainId
    typed: string
    contacts: readonly Contact[]
    transactions: readonly HistoryTransaction[]
  },
): OfferedReceiver[] {
  const { namespace } = parseChainId(chainId)
  const isHere = (address: string) => namespaceMetadata[namespace].isAddress(address, chainId)
  const own = contacts.filter((one) => one.namespace === namespace && isHere(one.address))
  const word = toSearchKey(typed)
  const named = own.filter(
    ({ name, address }) => toSearchKey(name).includes(word) || begins(address, typed),
  )
  const known = getKnownAddresses(app, transactions)
  const left = [...listAccounts(app, namespace), ...own.map(({ address }) => address)]
  const past: string[] = []
  for (const address of getPastRecipients(app, transactions)) {
    if (past.length === maxOffered) break
    const isSame = (one: string) => isSameAddress({ namespace, one, other: address })
    if (!isHere(address) || !begins(address, typed) || isZeroAddress({ namespace, address }))
      continue
    if (left.some(isSame) || past.some(isSame)) continue
    if (findLookalike(address, known) === undefined) past.push(address)
  }
  return [
    ...named.slice(0, maxOffered).map(({ name, address }) => ({ name, address })),
    ...past.map((address) => ({ address })),
  ]
}

/** Whether an address continues what the user has typed. */
const begins = (address: string, typed: string) =>
  address.length > typed.length && address.toLowerCase().startsWith(typed.toLowerCase())

// The field removes spaces.
const toSearchKey = (text: string) => getNameKey(text).replace(/\s/g, '')

const listAccounts = ({ store }: App, namespace: Namespace): string[] => {
  const connection = store.getState().connections[namespace]
  return isConnected(connection) ? connection.accounts.map(({ address }) => address) : []
}
