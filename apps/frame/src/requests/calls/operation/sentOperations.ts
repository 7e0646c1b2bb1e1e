import { withLock } from '../../../auth/deviceKey.ts'
import type { KeyStore } from '../../../wallet/keyStore.ts'

/**
 * A user operation of the page that may still be pending: its newest version, and the hashes of the
 * versions that it replaced, oldest first.
 */
export type SentOperation = {
  readonly hash: string
  readonly earlier: readonly string[]
  readonly nonce: string
  /** The calls that the page requested, even if the newest version cancels them. */
  readonly callData: string
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** The most that the newest version costs the account; undefined if the operator pays. */
  readonly maxFeeWei: bigint | undefined
  readonly isCancelled: boolean
  readonly batchId: string | undefined
  readonly sentAtMs: number
}

/** The user operations of a page. Stored in this browser. */
export type SentOperations = {
  /** The page's operations on a network that may still be pending, oldest first. */
  read(chainId: string): Promise<readonly SentOperation[]>
  /** Stores an operation in place of the operation with the same nonce. */
  add(chainId: string, sent: SentOperation): Promise<void>
  remove(chainId: string, hashes: readonly string[]): Promise<void>
  /** Whether the page has sent an operation with this hash, which may be done by now. */
  has(chainId: string, hash: string): Promise<boolean>
}

/** The most operations of one page on one network. */
const maxSent = 20

export function createSentOperations(
  store: KeyStore,
  { origin, account }: { readonly origin: string; readonly account: string },
): SentOperations {
  const keyOf = (chainId: string) => `operations ${chainId} ${origin} ${account.toLowerCase()}`
  const read = async (chainId: string) => {
    const found = await store.get(keyOf(chainId))
    return Array.isArray(found) ? (found as SentOperation[]) : []
  }
  const update = (
    chainId: string,
    change: (all: readonly SentOperation[]) => readonly SentOperation[],
  ) => {
    const key = keyOf(chainId)
    return withLock(key, async () => store.put(key, change(await read(chainId))))
  }
  return {
    read,
    add: (chainId, sent) =>
      update(chainId, (all) =>
        [...all.filter(({ nonce }) => nonce !== sent.nonce), sent].slice(-maxSent),
      ),
    has: async (chainId, hash) =>
      (await read(chainId)).some((one) => one.hash === hash || one.earlier.includes(hash)),
    remove: (chainId, hashes) =>
      update(chainId, (all) => all.filter(({ hash }) => !hashes.includes(hash))),
  }
}
