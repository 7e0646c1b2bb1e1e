import type { FrameChain } from '../chains.ts'
import type { KeyStore } from '../wallet/keyStore.ts'
import type { Effect } from './effect.ts'

const maxAddresses = 500
const sentKey = (account: string) => `recipients ${account.toLowerCase()}`
const usedKey = (account: string, chain: FrameChain) =>
  `contracts ${chain.id} ${account.toLowerCase()}`

/**
 * The counterparties of an account: recipients on any network, and contracts and spenders on one
 * network.
 */
export type Counterparties = { readonly sent: readonly string[]; readonly used: readonly string[] }

/** The recipients, the contracts that are `called`, and the spenders that get permissions. */
export function getCounterparties(
  effects: readonly Effect[],
  called: readonly string[],
): Counterparties {
  const sent = effects.flatMap((one) => (one.kind === 'send' && one.to ? [one.to] : []))
  const spenders = effects.flatMap((one) =>
    one.kind === 'allow' ? [one.spender] : one.kind === 'operate' ? [one.operator] : [],
  )
  return { sent, used: [...called, ...spenders] }
}

/**
 * Addresses that this browser has interacted with for the account on a network. EVM addresses are
 * in lower case.
 */
export async function readCounterpartyAddresses(
  store: KeyStore,
  account: string,
  chain: FrameChain,
): Promise<string[]> {
  const lists = [sentKey(account), usedKey(account, chain)].map((key) => readList(store, key))
  return (await Promise.all(lists)).flat()
}

export async function saveCounterparties(
  store: KeyStore,
  {
    account,
    chain,
    counterparties,
  }: { account: string; chain: FrameChain; counterparties: Counterparties },
): Promise<void> {
  await addTo(store, sentKey(account), counterparties.sent)
  await addTo(store, usedKey(account, chain), counterparties.used)
}

async function readList(store: KeyStore, key: string): Promise<string[]> {
  const found = await store.get(key)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

async function addTo(store: KeyStore, key: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  const all = [...addresses.map(normalize), ...(await readList(store, key))]
  await store.put(key, [...new Set(all)].slice(0, maxAddresses))
}

// Base58 is case-sensitive.
const normalize = (address: string) => (address.startsWith('0x') ? address.toLowerCase() : address)
