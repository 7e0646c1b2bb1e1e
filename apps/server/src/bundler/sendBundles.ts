import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { buildBundle } from './buildBundle.ts'
import {
  type Bundle,
  keepBundle,
  listOpenBundles,
  settleBundle,
  takeBundlerLease,
} from './bundleStore.ts'
import type { ChainBundler } from './chainBundler.ts'
import { listPending, markOperations } from './operationStore.ts'
import { parseReceipt, readEvents } from './readReceipt.ts'

/** How often the receipt of a bundle is asked for, and after how many looks the bundle is left for the next round. */
const looks = { firstMs: 4, mostMs: 500, most: 60 }
const maxTries = 3

/**
 * Sends what waits, bundle after bundle, as long as this process holds the lease. Bundles that an earlier process signed come
 * first: the same transaction is sent again, so that no operation is in two. False while another process has the lease.
 */
export async function sendBundles(
  chain: ChainBundler,
  { holder, signal }: { readonly holder: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const { db, chainId } = chain
  const lease = { db, chainId, holder }
  while (!signal.aborted) {
    if (!(await takeBundlerLease(lease))) return false
    const open = await listOpenBundles(lease)
    for (const bundle of open) await finishBundle(chain, { bundle, signal })
    if (open.length > 0 && (await listOpenBundles(lease)).length > 0) return true
    const waiting = await listPending(lease, 200)
    if (waiting.length === 0) return true
    const { bundle, operations, dropped } = await buildBundle(chain, waiting)
    for (const { operation, reason } of dropped) {
      chain.log.info({ operation: operation.hash, reason }, 'user operation dropped')
      await markOperations(chain, [operation.hash], { status: 'dropped', reason })
    }
    if (!bundle) continue
    const hashes = operations.map(({ hash }) => hash)
    if (await keepBundle(lease, { bundle, operations: hashes }))
      await finishBundle(chain, { bundle: { ...bundle, operations: hashes }, signal })
  }
  return true
}

type OpenBundle = Bundle & { readonly operations: readonly Hex[] }

/** Sends a kept bundle and waits for its end. */
async function finishBundle(
  chain: ChainBundler,
  { bundle, signal }: { readonly bundle: OpenBundle; readonly signal: AbortSignal },
): Promise<void> {
  const [sent] = await chain.ask([{ method: 'eth_sendRawTransaction', params: [bundle.raw] }])
  let pauseMs = looks.firstMs
  for (let look = 0; look < looks.most && !signal.aborted; look++) {
    const [reply] = await chain.ask([
      { method: 'eth_getTransactionReceipt', params: [bundle.hash] },
    ])
    const receipt = parseReceipt(reply?.result)
    if (receipt) return settle(chain, bundle, new Set(readEvents(receipt).map(({ hash }) => hash)))
    // Refused: another transaction has its nonce, or it cannot be paid.
    if (
      look > 2 &&
      sent?.error &&
      !/already (known|imported)|known transaction/i.test(sent.error.message)
    )
      return giveUp(chain, bundle, sent.error.message)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, looks.mostMs)
  }
}

async function settle(
  chain: ChainBundler,
  bundle: OpenBundle,
  included: ReadonlySet<Hex>,
): Promise<void> {
  const there = bundle.operations.filter((hash) => included.has(hash))
  const absent = bundle.operations.filter((hash) => !included.has(hash))
  await markOperations(chain, there, { status: 'included', bundleHash: bundle.hash })
  await tryAgain(chain, absent, 'the bundle was reverted')
  await settleBundle(chain, bundle.hash)
}

async function giveUp(chain: ChainBundler, bundle: OpenBundle, reason: string): Promise<void> {
  chain.log.warn({ bundle: bundle.hash, reason: reason.slice(0, 200) }, 'a bundle was refused')
  await tryAgain(chain, bundle.operations, 'no node takes the bundle')
  await settleBundle(chain, bundle.hash)
}

/** The next bundle's simulation finds out what is wrong with them; one that never gets through is dropped. */
async function tryAgain(
  chain: ChainBundler,
  hashes: readonly Hex[],
  reason: string,
): Promise<void> {
  if (hashes.length === 0) return
  await markOperations(chain, hashes, { status: 'pending' })
  const pending = await listPending(chain, 1_000)
  const worn = pending.filter((one) => hashes.includes(one.hash) && one.tries >= maxTries)
  await markOperations(
    chain,
    worn.map(({ hash }) => hash),
    { status: 'dropped', reason },
  )
}
