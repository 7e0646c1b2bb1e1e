import type { KeyStore } from '../../wallet/keyStore.ts'
import { chooseAccountType, readAccountType } from './accountType.ts'

/** How a batch was sent: as a user operation, or as transactions one after another (`total`: how many there should be). */
export type SentCalls =
  | { readonly chainId: string; readonly kind: 'operation'; readonly hash: string }
  | {
      readonly chainId: string
      readonly kind: 'transactions'
      readonly hashes: readonly string[]
      readonly total: number
      /** Until then another may follow; 0 if none will. A frame that was closed in between sends no more. */
      readonly moreUntilMs: number
    }

/** Batches of the page at `origin`, and how the account sends them. Kept in this browser. */
export type CallsAccess = {
  readType(): Promise<'eoa' | 'smartAccount'>
  /** Stores what the user has chosen, here; `sendAccountType` tells the server. */
  writeType(type: 'eoa' | 'smartAccount'): Promise<void>
  find(id: string): Promise<SentCalls | undefined>
  save(id: string, sent: SentCalls): Promise<void>
}

const maxKept = 200

/** `account` is the EVM address in use. */
export function createCallsAccess(
  store: KeyStore,
  { origin, account }: { readonly origin: string; readonly account: string },
): CallsAccess {
  const listKey = `calls ${origin} ${account.toLowerCase()}`
  const read = async () => {
    const found = await store.get(listKey)
    return Array.isArray(found) ? (found as [string, SentCalls][]) : []
  }
  return {
    readType: () => readAccountType(store, account),
    writeType: (type) => chooseAccountType(store, account, type),
    find: async (id) => (await read()).find(([one]) => one === id)?.[1],
    save: async (id, sent) => {
      const others = (await read()).filter(([one]) => one !== id)
      await store.put(listKey, [...others, [id, sent]].slice(-maxKept))
    },
  }
}
