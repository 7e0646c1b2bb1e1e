import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import { getErrorMessage } from '../../getErrorMessage.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { listReady } from '../mempool/listReady.ts'
import {
  findOperations,
  markOperations,
  returnOperations,
  type StoredOperation,
} from '../mempool/operationStore.ts'
import { getNumber } from '../operations/checkOperation.ts'
import { feeQuestions, getLeastFees, readMarket } from '../operations/market.ts'
import { buildBundle, maxRiskedGas, type Slot } from './buildBundle.ts'
import { buildRevocations, maxRevocations, type Revocation } from './buildRevocations.ts'
import {
  type BundlerLease,
  keepBundle,
  keepVersion,
  listOpenBundles,
  type OpenBundle,
  setAside,
  settleBundle,
  takeBundlerLease,
  toOpen,
} from './bundleStore.ts'
import { readCaution } from './offenders.ts'
import { getReplacingFees, raiseFee } from './raiseFee.ts'
import { includeElsewhere, parseMined, settle } from './settle.ts'
import { traceChanged } from './traceChanged.ts'

/**
 * The pauses between polls for a bundle, and the number of polls after which it is left for the
 * next round.
 */
const looks = { firstMs: 4, mostMs: 500, most: 24 }
/** How long a bundle may wait for a block before it is sent again with a higher fee. */
const raiseAfterMs = 10_000
/**
 * After this many refusals of a bundle with only one operation, the operation is dropped. The pause
 * is the wait between attempts, or while the operation is traced again.
 */
const maxTries = 3
const tryAgainMs = 2_000
/**
 * A bundle is chosen from at most as many operations as would fill this many bundles, because large
 * operations take time to read and to measure.
 */
const consideredBundles = 4n
/**
 * How long an operation waits if it pays too little for its data now, or if the bundler's account
 * cannot pay for it in advance.
 */
const postponedMs = 60_000

/**
 * Sends everything that waits, bundle after bundle, as long as this process holds the lease.
 * Revocations go before operations, and are removed from `revocations`. Bundles that an earlier
 * process signed come first: the same transaction is sent again, so that no operation is in two
 * bundles. A bundle whose outcome cannot be determined is set aside and does not delay the next
 * bundles. False while another process has the lease.
 */
export async function sendBundles(
  chain: ChainBundler,
  {
    holder,
    signal,
    revocations = [],
    most = Number.POSITIVE_INFINITY,
  }: {
    readonly holder: string
    readonly signal: AbortSignal
    readonly revocations?: Revocation[]
    /** The maximum number of bundles. */
    readonly most?: number
  },
): Promise<boolean> {
  const { db, chainId } = chain
  const lease = { db, chainId, holder }
  for (let sent = 0; sent < most && !signal.aborted; sent++) {
    if (!(await takeBundlerLease(lease))) return false
    for (const bundle of await listOpenBundles(lease))
      if (bundle.isDue) await attend(chain, { lease, bundle, signal })
    // The wait for a bundle that no block includes is longer than the lease.
    if (!(await takeBundlerLease(lease))) return false
    const slot = await findSlot(chain, await listOpenBundles(lease))
    if (!slot) return true
    if (revocations.length > 0)
      await sendRevocations(chain, {
        lease,
        revocations: revocations.splice(0, maxRevocations),
        signal,
        slot,
      })
    else if (!(await sendOperations(chain, { lease, signal, slot }))) return true
  }
  return true
}

type Round = { readonly lease: BundlerLease; readonly signal: AbortSignal }

/**
 * Checks a bundle of an earlier round. The bundle is set aside if its outcome cannot be determined
 * although the node answers other requests.
 */
async function attend(
  chain: ChainBundler,
  { lease, bundle, signal }: Round & { readonly bundle: OpenBundle },
): Promise<void> {
  try {
    await finishBundle(chain, { bundle: await withHigherFee(chain, lease, bundle), signal })
  } catch (error) {
    await chain.ask(feeQuestions)
    await setAside(lease, bundle)
    const hash = bundle.versions.at(-1)?.hash
    chain.log.warn({ bundle: hash, reason: getErrorMessage(error) }, 'a bundle was set aside')
  }
}

/**
 * The slot of the next bundle; undefined while a bundle with that nonce is pending and its fee may
 * still be raised.
 */
async function findSlot(
  chain: ChainBundler,
  open: readonly OpenBundle[],
): Promise<Slot | undefined> {
  const { ask, account, raiseAfterMs: afterMs = raiseAfterMs } = chain
  const [nonceReply, ...rates] = await ask([
    { method: 'eth_getTransactionCount', params: [account.address, 'latest'] },
    ...feeQuestions,
  ])
  const nonce = Number(hexQuantity.parse(nonceReply?.result))
  const market = readMarket(rates, getNumber(chain))
  const least = getLeastFees(market)
  const other = open.find(({ versions }) => versions[0]?.nonce === nonce)
  const last = other?.versions.at(-1)
  if (!other || !last) return { market, nonce, least }
  // Its operations do not pay a higher fee, or its outcome is unknown: operations that pay more may
  // replace it.
  if (other.failures === 0 && other.ageMs < afterMs) return undefined
  const replacing = getReplacingFees(last.raw)
  const most = (one: bigint, two: bigint) => (one > two ? one : two)
  const hashes = other.operations.map(({ hash }) => hash)
  const replaced = hashes.length === 0 ? [] : await findOperations(chain, hashes)
  return {
    market,
    nonce,
    replaced: replaced.flatMap((one) => one?.operation ?? []),
    least: { fee: most(least.fee, replacing.fee), tip: most(least.tip, replacing.tip) },
  }
}

/** Sends the next bundle of operations. False if no operation can be sent now. */
async function sendOperations(
  chain: ChainBundler,
  { lease, signal, slot }: Round & { readonly slot: Slot },
): Promise<boolean> {
  const caution = await readCaution(lease)
  const riskedGas = consideredBundles * maxRiskedGas
  const waiting = await listReady(chain, { limit: 200, riskedGas, least: slot.least, caution })
  if (waiting.length === 0) return false
  const built = await buildBundle(chain, waiting, slot)
  const { bundle, operations, dropped, postponed } = built
  // A trace is slow, so other operations do not wait for it.
  for (const one of built.changed) void traceChanged(chain, one)
  await returnOperations(chain, toHashes(built.changed), { waitMs: tryAgainMs })
  for (const { operation, reason } of dropped) {
    if (/AA25/.test(reason) && (await includeElsewhere(chain, operation))) continue
    chain.log.info({ operation: operation.hash, reason }, 'user operation dropped')
    await markOperations(chain, [operation.hash], { status: 'dropped', reason })
  }
  await returnOperations(chain, toHashes(postponed), { waitMs: postponedMs })
  if (!bundle) return dropped.length + postponed.length + built.changed.length > 0
  const hashes = toHashes(operations)
  if (!(await keepBundle(lease, { bundle, operations: hashes }))) return true
  return (await finishBundle(chain, { bundle: toOpen(bundle, hashes), signal })) !== 'later'
}

const toHashes = (operations: readonly StoredOperation[]) => operations.map(({ hash }) => hash)

/**
 * Sends a bundle without operations that ends delegations, and reports the outcome to each caller.
 */
async function sendRevocations(
  chain: ChainBundler,
  {
    lease,
    revocations,
    signal,
    slot,
  }: Round & { readonly revocations: readonly Revocation[]; readonly slot: Slot },
): Promise<void> {
  try {
    const bundle = await buildRevocations(chain, { revocations, slot })
    if (!(await keepBundle(lease, { bundle, operations: [] }))) throw rpcUnavailable(chain.chainId)
    if ((await finishBundle(chain, { bundle: toOpen(bundle, []), signal })) !== 'sent')
      throw rpcUnavailable(chain.chainId)
    for (const { done } of revocations) done()
  } catch (error) {
    chain.log.warn({ err: error }, 'revocations of delegations not sent')
    for (const { failed } of revocations) failed(error)
  }
}

/**
 * Adds and stores a version with a higher fee, if the bundle has waited long enough and its
 * operations pay for that.
 */
async function withHigherFee(
  chain: ChainBundler,
  lease: BundlerLease,
  bundle: OpenBundle,
): Promise<OpenBundle> {
  if (bundle.ageMs < (chain.raiseAfterMs ?? raiseAfterMs)) return bundle
  const raised = await raiseFee(chain, bundle)
  const replaced = bundle.versions.at(-1)?.hash
  if (!raised || !replaced || !(await keepVersion(lease, { bundle: raised, replaced })))
    return bundle
  chain.log.info({ bundle: raised.hash, nonce: raised.nonce }, 'a bundle pays a higher fee')
  const operations = bundle.operations.map(({ hash, version }) => ({
    hash,
    version: version === replaced ? raised.hash : version,
  }))
  return { ...bundle, operations, versions: [...bundle.versions, raised], ageMs: 0 }
}

/**
 * Whether a refused transaction can never be mined: it cannot be paid, or another transaction has
 * used its nonce. An earlier version may still be pending at the node, and its block may come a
 * moment later.
 */
function isLost(refusal: string, { versions }: OpenBundle, look: number): boolean {
  // The node has it, or an earlier version.
  if (/already (known|imported)|known transaction|replacement/i.test(refusal)) return false
  if (/nonce/i.test(refusal)) return look > (versions.length === 1 ? 2 : 8)
  return look > 2
}

/**
 * The outcome of a bundle: a node has accepted it, or no node accepts it, and the next bundle can
 * go at once or should go later.
 */
type BundleResult = 'sent' | 'again' | 'later'

/** Sends a stored bundle and waits for its outcome. Throws RPC_UNAVAILABLE. */
async function finishBundle(
  chain: ChainBundler,
  { bundle, signal }: { readonly bundle: OpenBundle; readonly signal: AbortSignal },
): Promise<BundleResult> {
  const { versions } = bundle
  const [sent] = await chain.ask([
    { method: 'eth_sendRawTransaction', params: [versions.at(-1)?.raw] },
  ])
  let pauseMs = looks.firstMs
  for (let look = 0; look < looks.most && !signal.aborted; look++) {
    const replies = await chain.ask(
      versions.map(({ hash }) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    )
    const [mined] = replies.flatMap(({ result }) => parseMined(result) ?? [])
    if (mined) {
      await settle(chain, bundle, mined)
      return 'sent'
    }
    const refusal = sent?.error?.message
    if (refusal !== undefined && isLost(refusal, bundle, look))
      return giveUp(chain, bundle, refusal)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, looks.mostMs)
  }
  return 'sent'
}

/**
 * Gives up the last version of a bundle, which no node accepts. Its operations wait again, for
 * bundles of half the size. An operation is only blamed if it was alone in the bundle. An earlier
 * version may still be mined, unless another transaction has the nonce.
 */
async function giveUp(
  chain: ChainBundler,
  bundle: OpenBundle,
  refusal: string,
): Promise<BundleResult> {
  const { versions, operations } = bundle
  const last = versions.at(-1)
  const isNonceUsed = /nonce/i.test(refusal)
  const lost = versions.filter((one) => isNonceUsed || one === last)
  chain.log.warn({ bundle: last?.hash, reason: refusal.slice(0, 200) }, 'a bundle was refused')
  const hashes = operations.flatMap(({ hash, version }) =>
    lost.some((one) => one.hash === version) ? [hash] : [],
  )
  // The network's required fees may have changed in the meantime, which is not the operations'
  // fault.
  const isOutdated = isNonceUsed || /base ?fee/i.test(refusal)
  if (isOutdated) await returnOperations(chain, hashes)
  else if (hashes.length > 1)
    await returnOperations(chain, hashes, { together: Math.floor(hashes.length / 2) })
  else if (/insufficient (?:funds|balance)/i.test(refusal))
    await returnOperations(chain, hashes, { waitMs: postponedMs })
  else await tryAgain(chain, hashes)
  await settleBundle(chain, { versions: lost })
  return isOutdated ? 'later' : 'again'
}

/**
 * Returns operations to the mempool. An operation that no node accepts even alone is dropped in the
 * end.
 */
async function tryAgain(chain: ChainBundler, hashes: readonly Hex[]): Promise<void> {
  if (hashes.length === 0) return
  await returnOperations(chain, hashes, { isTry: true, waitMs: tryAgainMs })
  const worn = (await findOperations(chain, hashes)).flatMap((one) =>
    one && one.tries >= maxTries ? [one.hash] : [],
  )
  await markOperations(chain, worn, { status: 'dropped', reason: 'no node accepts it' })
}
