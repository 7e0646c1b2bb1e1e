import type { KeyStore } from '../wallet/keyStore.ts'

const most = 500
const keyOf = (account: string) => `recipients ${account.toLowerCase()}`

/** Whom this browser has sent to, lower case. */
export async function readRecipients(store: KeyStore, account: string): Promise<string[]> {
  const found = await store.get(keyOf(account))
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
}

export async function rememberRecipients(
  store: KeyStore,
  account: string,
  addresses: readonly string[],
): Promise<void> {
  const known = await readRecipients(store, account)
  const all = new Set([...addresses.map((one) => one.toLowerCase()), ...known])
  await store.put(keyOf(account), [...all].slice(0, most))
}

/** The known address that `address` could be taken for: the same beginning and end, as an address is shortened. */
export function lookAlike(address: string, known: readonly string[]): string | undefined {
  const ends = (text: string) => `${text.slice(0, 6)}${text.slice(-4)}`.toLowerCase()
  const wanted = address.toLowerCase()
  return known.find((one) => one.toLowerCase() !== wanted && ends(one) === ends(wanted))
}
