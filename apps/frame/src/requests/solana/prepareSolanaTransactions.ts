import { encodeBase58, isError, LatchkeyError } from '@latchkey/wire'
import { encodeTransaction } from '@latchkey/wire/solana'
import * as z from 'zod/mini'
import { fromBase64Url, toBase64Url } from '../../wallet/crypto/bytes.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import type { Counterparties } from '../counterparties.ts'
import { invalidParams } from '../params.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'
import { describeTransactions } from './describeTransactions.ts'
import { type ReadTransaction, readTransaction } from './readTransaction.ts'

/** As many as a page may ask for one by one in a minute. */
const maxTransactions = 20
const base64 = z.string().check(z.minLength(1), z.maxLength(1_644))
const pubkey = z.optional(z.string())
const single = z.object({ transaction: base64, pubkey })
const several = z.object({
  transactions: z.array(base64).check(z.minLength(1), z.maxLength(maxTransactions)),
  pubkey,
})

/**
 * solana_signTransaction, solana_signAllTransactions and solana_signAndSendTransaction. What is shown is computed from
 * the bytes that are signed; our RPC fills in lookup tables and tokens, and says what it expects to happen.
 */
export async function prepareSolanaTransactions(
  request: ApprovalRequest,
): Promise<PreparedRequest> {
  const { method, accounts } = request
  const isSent = method === 'solana_signAndSendTransaction'
  const parsed = parseParams(request)
  if (parsed.pubkey !== undefined && parsed.pubkey !== accounts.solana)
    throw new LatchkeyError('UNAUTHORIZED')
  await assertGenesis(request)
  const all = await Promise.all(parsed.transactions.map((one) => readTransaction(request, one)))
  return {
    view: describeTransactions(request, all, isSent),
    counterparties: getCounterparties(all),
    approve: async () => {
      const signed: Signed[] = []
      // One after the other: the worker opens the wallet for each.
      for (const one of all) signed.push(await sign(request, one))
      if (method === 'solana_signAllTransactions')
        return { transactions: signed.map(({ transaction }) => transaction) }
      const [first] = signed
      if (!first) throw invalidParams('transactions')
      if (isSent) return { signature: await broadcast(request, first) }
      return { signature: first.signature, transaction: first.transaction }
    },
  }
}

function parseParams({ method, params }: ApprovalRequest) {
  const isMany = method === 'solana_signAllTransactions'
  const parsed = z.safeParse(isMany ? several : single, params)
  if (!parsed.success) throw invalidParams('transaction')
  const { data } = parsed
  const texts = 'transactions' in data ? data.transactions : [data.transaction]
  const transactions = texts.map((text) => {
    const bytes = decodeBase64(text)
    if (!bytes) throw invalidParams('transaction is not base64')
    return bytes
  })
  return { transactions, pubkey: data.pubkey }
}

/** Throws CHAIN_DISCONNECTED unless our RPC is one of the network: CAIP-2 names it by its first block. */
async function assertGenesis({ read, chain, signal }: ApprovalRequest): Promise<void> {
  const hash = await read(chain, 'getGenesisHash', [], signal)
  if (typeof hash !== 'string' || hash.slice(0, 32) !== chain.reference)
    throw new LatchkeyError('CHAIN_DISCONNECTED')
}

/** The receivers and those who get rights, and the programs. */
function getCounterparties(all: readonly ReadTransaction[]): Counterparties {
  const sent = all.flatMap(({ effects, tokenOwners }) =>
    effects.flatMap((one) => {
      if (one.kind !== 'send' || !one.isOwn) return []
      const owner = tokenOwners.get(one.to)
      return [one.to, ...(owner?.isProven ? [owner.owner] : [])]
    }),
  )
  const used = all.flatMap(({ effects, instructions }) => [
    ...instructions.map(({ program }) => program),
    ...effects.flatMap((one) => (one.kind === 'allow' ? [one.spender] : [])),
  ])
  return { sent: [...new Set(sent)], used: [...new Set(used)] }
}

/** `signature`: the account's own. `id`: the first signature, which names the transaction. */
type Signed = { transaction: string; signature: string; id: string }

async function sign(
  { keys }: ApprovalRequest,
  { transaction, ownIndex }: ReadTransaction,
): Promise<Signed> {
  const { message, signatures } = transaction
  const { signature } = await keys.do('signSolana', { bytes: toBase64Url(message) })
  const own = fromBase64Url(signature)
  const all = signatures.map((one, index) => (index === ownIndex ? own : one))
  return {
    transaction: encodeBase64(encodeTransaction({ message }, all)),
    signature: encodeBase58(own),
    id: encodeBase58(all[0] ?? new Uint8Array()),
  }
}

const maxTries = 3
const pauseMs = 2_000

/** Sends a transaction and returns its id. A lost answer is not a failure: the same transaction is sent again. */
async function broadcast(
  { read, chain }: ApprovalRequest,
  { transaction, id }: Signed,
): Promise<string> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
  const isThere = async () => {
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
      if (await isThere()) return id
      if (isSaid || tries === maxTries) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
