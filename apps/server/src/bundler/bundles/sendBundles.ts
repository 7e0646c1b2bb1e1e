import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { listPending, markOperations } from '../operations/operationStore.ts'
import { buildBundle } from './buildBundle.ts'
import { buildEndings, type Ending, maxEndings } from './buildEndings.ts'
import {
  type Bundle,
  type BundlerLease,
  keepBundle,
  keepVersion,
  listOpenBundles,
  type OpenBundle,
  settleBundle,
  takeBundlerLease,
} from './bundleStore.ts'
import { raiseFee } from './raiseFee.ts'
import { parseReceipt, type Receipt, readEvents } from './readReceipt.ts'

/** How often the receipt of a bundle is asked for, and after how many looks the bundle is left for the next round. */
const looks = { firstMs: 4, mostMs: 500, most: 24 }
/** A bundle that is not in a block by then is sent again with a higher fee. */
const raiseAfterMs = 10_000
const maxTries = 3

/**
 * Sends what waits, bundle after bundle, as long as this process holds the lease. Endings go before operations, and are taken off `endings`. Bundles that
 * an earlier process signed come first: the same transaction is sent again, so that no operation is in two. False while another process has the lease.
 */
export async function sendBundles(
  chain: ChainBundler,
  {
    holder,
    signal,
    endings = [],
  }: {
    readonly holder: string
    readonly signal: AbortSignal
    readonly endings?: Ending[]
  },
): Promise<boolean> {
  const { db, chainId } = chain
  const lease = { db, chainId, holder }
  while (!signal.aborted) {
    if (!(await takeBundlerLease(lease))) return false
    const open = await listOpenBundles(lease)
    for (const bundle of open)
      await finishBundle(chain, { bundle: await withHigherFee(chain, lease, bundle), signal })
    if (open.length > 0 && (await listOpenBundles(lease)).length > 0) return true
    if (endings.length > 0) {
      await sendEndings(chain, { lease, endings: endings.splice(0, maxEndings), signal })
      continue
    }
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
      await finishBundle(chain, {
        bundle: { versions: [bundle], operations: hashes, ageMs: 0 },
        signal,
      })
  }
  return true
}

/** Sends a bundle without operations that ends delegations, and tells each what became of it. */
async function sendEndings(
  chain: ChainBundler,
  {
    lease,
    endings,
    signal,
  }: {
    readonly lease: BundlerLease
    readonly endings: readonly Ending[]
    readonly signal: AbortSignal
  },
): Promise<void> {
  try {
    const bundle = await buildEndings(chain, endings)
    if (!(await keepBundle(lease, { bundle, operations: [] }))) throw rpcUnavailable(chain.chainId)
    const open = { versions: [bundle], operations: [], ageMs: 0 }
    if (!(await finishBundle(chain, { bundle: open, signal }))) throw rpcUnavailable(chain.chainId)
    for (const { done } of endings) done()
  } catch (error) {
    chain.log.warn({ err: error }, 'endings of delegations not sent')
    for (const { failed } of endings) failed(error)
  }
}

/** The bundle with a version more, kept, where it has waited for long. */
async function withHigherFee(
  chain: ChainBundler,
  lease: BundlerLease,
  bundle: OpenBundle,
): Promise<OpenBundle> {
  if (bundle.ageMs < (chain.raiseAfterMs ?? raiseAfterMs)) return bundle
  const raised = await raiseFee(chain, bundle)
  const { operations, versions } = bundle
  if (!raised || !(await keepVersion(lease, { bundle: raised, operations }))) return bundle
  chain.log.info({ bundle: raised.hash, nonce: raised.nonce }, 'a bundle pays a higher fee')
  return { operations, versions: [...versions, raised], ageMs: 0 }
}

/**
 * Whether a refused transaction can never be mined: it cannot be paid, or another one has its nonce. An earlier version may
 * still wait in the node, and its receipt may come a moment later.
 */
function isLost(
  refusal: string,
  { versions, look }: { readonly versions: readonly Bundle[]; readonly look: number },
): boolean {
  // The node has it, or an earlier version.
  if (/already (known|imported)|known transaction|underpriced/i.test(refusal)) return false
  return versions.length === 1 ? look > 2 : look > 8 && /nonce/i.test(refusal)
}

/** Sends a kept bundle and waits for its end. False if no node ever takes it. */
async function finishBundle(
  chain: ChainBundler,
  { bundle, signal }: { readonly bundle: OpenBundle; readonly signal: AbortSignal },
): Promise<boolean> {
  const { versions } = bundle
  const [sent] = await chain.ask([
    { method: 'eth_sendRawTransaction', params: [versions.at(-1)?.raw] },
  ])
  let pauseMs = looks.firstMs
  for (let look = 0; look < looks.most && !signal.aborted; look++) {
    const replies = await chain.ask(
      versions.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    const [receipt] = replies.flatMap(({ result }) => parseReceipt(result) ?? [])
    if (receipt) {
      await settle(chain, bundle, receipt)
      return true
    }
    const refusal = sent?.error?.message
    if (refusal !== undefined && isLost(refusal, { versions, look })) {
      await giveUp(chain, bundle, refusal)
      return false
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, looks.mostMs)
  }
  return true
}

async function settle(chain: ChainBundler, bundle: OpenBundle, receipt: Receipt): Promise<void> {
  const { operations, versions } = bundle
  const included = new Set(readEvents(receipt).map(({ hash }) => hash))
  const there = operations.filter((hash) => included.has(hash))
  const absent = operations.filter((hash) => !included.has(hash))
  const { transactionHash: hash } = receipt
  const block = hexQuantity.parse(receipt.blockNumber)
  await markOperations(chain, there, { status: 'included', bundleHash: hash })
  await tryAgain(chain, absent, 'the bundle was reverted')
  await settleBundle(chain, { versions, mined: { hash, block } })
}

async function giveUp(chain: ChainBundler, bundle: OpenBundle, reason: string): Promise<void> {
  chain.log.warn(
    { bundle: bundle.versions.at(-1)?.hash, reason: reason.slice(0, 200) },
    'a bundle was refused',
  )
  await tryAgain(chain, bundle.operations, 'no node takes the bundle')
  await settleBundle(chain, { versions: bundle.versions })
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
