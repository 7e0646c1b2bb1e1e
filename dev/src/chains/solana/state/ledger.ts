import type { TransactionError } from './transactionError.ts'

/** The balance of a token account before or after a transaction. */
export type TokenBalance = {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly amount: string
  readonly decimals: number
}

/** An instruction that a program called. */
type InnerInstruction = {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  /** Base58. */
  readonly data: string
  readonly stackHeight: number
}

/** An executed transaction and its effects. */
export type Entry = {
  readonly signature: string
  readonly slot: number
  /** Unix time in seconds. */
  readonly time: number
  /** Base64. */
  readonly transaction: string
  readonly loaded: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
  readonly keys: readonly string[]
  readonly error: TransactionError | null
  readonly fee: number
  readonly units: number
  readonly logs: readonly string[]
  readonly inner: readonly {
    readonly index: number
    readonly instructions: readonly InnerInstruction[]
  }[]
  readonly returnData: {
    readonly programId: string
    readonly data: readonly [string, 'base64']
  } | null
  readonly balancesBefore: readonly number[]
  readonly balancesAfter: readonly number[]
  readonly tokensBefore: readonly TokenBalance[]
  readonly tokensAfter: readonly TokenBalance[]
}

/** Every transaction of the chain, oldest first, by signature and by the accounts it contains. */
export type Ledger = {
  add(entry: Entry): void
  get(signature: string): Entry | undefined
  /** The transactions that contain an account, oldest first. */
  ofAddress(address: string): readonly Entry[]
  ofSlot(slot: number): readonly Entry[]
  count(): number
}

/** A {@link Ledger} in memory. */
export function createLedger(): Ledger {
  const bySignature = new Map<string, Entry>()
  const byAddress = new Map<string, Entry[]>()
  const bySlot = new Map<number, Entry[]>()
  return {
    add: (entry) => {
      bySignature.set(entry.signature, entry)
      for (const key of new Set(entry.keys)) addTo(byAddress, key, entry)
      addTo(bySlot, entry.slot, entry)
    },
    get: (signature) => bySignature.get(signature),
    ofAddress: (address) => byAddress.get(address) ?? [],
    ofSlot: (slot) => bySlot.get(slot) ?? [],
    count: () => bySignature.size,
  }
}

function addTo<Key>(map: Map<Key, Entry[]>, key: Key, entry: Entry) {
  const list = map.get(key)
  if (list) list.push(entry)
  else map.set(key, [entry])
}
