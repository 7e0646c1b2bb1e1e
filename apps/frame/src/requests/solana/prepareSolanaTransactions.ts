import {
  decodeBase64,
  encodeBase58,
  encodeBase64,
  isError,
  LatchkeyError,
  omitNulls,
} from '@latchkey/wire'
import { encodeSolanaTransaction } from '@latchkey/wire/solana'
import * as z from 'zod/mini'
import { approvals } from '../../locales/approvals.en.ts'
import { fromBase64Url, toBase64Url } from '../../wallet/crypto/bytes.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import type { Counterparties } from '../counterparties.ts'
import { invalidParameters } from '../params.ts'
import { danger } from '../warning.ts'
import { describeSolanaTransactions } from './describeTransactions.ts'
import { isWorseTransaction } from './isWorseTransaction.ts'
import { type DecodedTransaction, readSolanaTransaction } from './readTransaction.ts'

const maxTransactions = 50
/** How many transactions are read at the same time: our server limits requests. */
const maxParallel = 5
const base64 = z.string().check(z.minLength(1), z.maxLength(1_644))
const pubkey = z.optional(z.string())
const single = z.object({ transaction: base64, pubkey })
const several = z.object({
  transactions: z.array(base64).check(z.minLength(1), z.maxLength(maxTransactions)),
  pubkey,
})

/**
 * solana_signTransaction, solana_signAllTransactions and solana_signAndSendTransaction. The view is
 * computed from the signed bytes; our RPC fills in lookup tables and tokens, and simulates the
 * transactions.
 */
export async function prepareSolanaTransactions(
  request: ApprovalRequest,
): Promise<PreparedApproval> {
  const { method, accounts } = request
  const isSent = method === 'solana_signAndSendTransaction'
  const parsed = parseParams(request)
  if (parsed.pubkey !== undefined && parsed.pubkey !== accounts.solana)
    throw new LatchkeyError('UNAUTHORIZED')
  await assertGenesis(request)
  return prepareReview(request, { all: await readAll(request, parsed.transactions), isSent })
}

type Review = { readonly all: readonly DecodedTransaction[]; readonly isSent: boolean }

function prepareReview(request: ApprovalRequest, review: Review): PreparedApproval {
  const { all, isSent } = review
  return {
    view: describeSolanaTransactions(request, all, isSent),
    counterparties: getCounterparties(all),
    recheck: async () => {
      const now = await readAll(
        request,
        all.map(({ bytes }) => bytes),
      )
      if (!isWorseTransaction(request, { before: all, now })) return undefined
      const next = prepareReview(request, { all: now, isSent })
      const warnings = [danger(approvals.warn.changed), ...next.view.warnings]
      return { ...next, view: { ...next.view, warnings } }
    },
    approve: async () => {
      const signed = await sign(request, all)
      if (request.method === 'solana_signAllTransactions')
        return { transactions: signed.map(({ transaction }) => transaction) }
      const [first] = signed
      if (!first) throw invalidParameters('transactions')
      if (isSent) return { signature: await broadcast(request, first) }
      return { signature: first.signature, transaction: first.transaction }
    },
  }
}

async function readAll(
  request: ApprovalRequest,
  transactions: readonly Uint8Array[],
): Promise<DecodedTransaction[]> {
  const all: DecodedTransaction[] = []
  for (let at = 0; at < transactions.length; at += maxParallel) {
    const some = transactions.slice(at, at + maxParallel)
    all.push(...(await Promise.all(some.map((one) => readSolanaTransaction(request, one)))))
  }
  return all
}

function parseParams({ method, params }: ApprovalRequest) {
  const isMany = method === 'solana_signAllTransactions'
  const parsed = z.safeParse(isMany ? several : single, omitNulls(params))
  if (!parsed.success) throw invalidParameters('transaction')
  const { data } = parsed
  const texts = 'transactions' in data ? data.transactions : [data.transaction]
  const transactions = texts.map((text) => {
    const bytes = decodeBase64(text)
    if (!bytes) throw invalidParameters('transaction is not base64')
    return bytes
  })
  return { transactions, pubkey: data.pubkey }
}

/**
 * Throws CHAIN_DISCONNECTED unless our RPC serves this network: CAIP-2 identifies it by its genesis
 * hash.
 */
async function assertGenesis({ read, chain, signal }: ApprovalRequest): Promise<void> {
  const hash = await read(chain, 'getGenesisHash', [], signal)
  if (typeof hash !== 'string' || hash.slice(0, 32) !== chain.reference)
    throw new LatchkeyError('CHAIN_DISCONNECTED')
}

/** Recipients, addresses that get rights, and programs. */
function getCounterparties(all: readonly DecodedTransaction[]): Counterparties {
  const sent = all.flatMap(({ effects, tokenOwners }) =>
    effects.flatMap((one) => {
      if (one.kind === 'open') return [one.owner]
      if (one.kind !== 'send' || !one.isOwn) return []
      const owner = tokenOwners.get(one.to)
      return [one.to, ...(owner?.isProven ? [owner.owner] : [])]
    }),
  )
  const used = all.flatMap(({ effects, instructions }) => [
    ...instructions.map(({ program }) => program),
    ...effects.flatMap((one) =>
      one.kind === 'allow' ? [one.spender] : one.kind === 'stake' ? [one.to] : [],
    ),
  ])
  return { sent: [...new Set(sent)], used: [...new Set(used)] }
}

/**
 * `signature`: the account's signature. `id`: the first signature, which identifies the
 * transaction.
 */
type Signed = { transaction: string; signature: string; id: string }

/** Has the key worker sign exactly what was reviewed. */
async function sign(
  { keys }: ApprovalRequest,
  all: readonly DecodedTransaction[],
): Promise<Signed[]> {
  const { signatures } = await keys.do('signSolanaTransactions', {
    transactions: all.map(({ transaction: { message }, reviewed }) => ({
      message: toBase64Url(message),
      reviewed,
    })),
  })
  return all.map(({ transaction, ownIndex }, at) => {
    const own = fromBase64Url(signatures[at] ?? '')
    const each = transaction.signatures.map((one, index) => (index === ownIndex ? own : one))
    return {
      transaction: encodeBase64(encodeSolanaTransaction(transaction, each)),
      signature: encodeBase58(own),
      id: encodeBase58(each[0] ?? new Uint8Array()),
    }
  })
}

const maxTries = 3
const pauseMs = 2_000

/**
 * Sends a transaction and returns its id. A lost response is not a failure: the same transaction is
 * sent again.
 */
async function broadcast(
  { read, chain }: ApprovalRequest,
  { transaction, id }: Signed,
): Promise<string> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  const isKnownToNode = async () => {
    const said = await read(chain, 'getSignatureStatuses', [[id]]).catch(() => undefined)
    const { value } = (said ?? {}) as { value?: unknown }
    return Array.isArray(value) && value[0] !== null && value[0] !== undefined
  }
  for (let tries = 1; ; tries++) {
    try {
      await read(chain, 'sendTransaction', [transaction, options])
      return id
    } catch (error) {
      const isSaid = isError(error, 'RPC_FAILED')
      if (isSaid && /already (been )?processed/i.test(error.message)) return id
      if (await isKnownToNode()) return id
      if (isSaid || tries === maxTries) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
