import * as z from 'zod'
import { programs } from '../definition.ts'
import { encodeTransaction } from '../parse/encodeTransaction.ts'
import type { Entry } from '../state/ledger.ts'
import type { SolanaChain } from '../state/openChain.ts'
import {
  address,
  type Commitment,
  type Methods,
  parseParams,
  signature,
  withContext,
} from './params.ts'
import { invalidParams, RpcError } from './rpcError.ts'

const maxSignatures = 1_000
const maxStatuses = 256
const commitment = z.enum(['confirmed', 'finalized']).default('finalized')
const encoding = z.enum(['base58', 'base64', 'json', 'jsonParsed'])
const version = z.int().min(0).optional()
const readConfig = z
  .object({
    commitment,
    encoding: encoding.default('json'),
    maxSupportedTransactionVersion: version,
  })
  .prefault({})
const signaturesConfig = z
  .object({
    commitment,
    limit: z.int().min(1).max(maxSignatures).default(maxSignatures),
    before: signature.optional(),
    until: signature.optional(),
    minContextSlot: z.int().min(0).optional(),
  })
  .prefault({})
const blockConfig = z
  .object({
    encoding: encoding.default('json'),
    transactionDetails: z.enum(['full', 'signatures', 'none']).default('full'),
    maxSupportedTransactionVersion: version,
  })
  .prefault({})

/** Methods about past transactions. */
export const historyMethods: Methods = {
  getSignatureStatuses: (chain, params) => {
    const [signatures] = parseParams(z.tuple([z.array(signature)], z.any()), params)
    if (signatures.length > maxStatuses)
      throw invalidParams(`Too many inputs provided; max ${maxStatuses}`)
    return withContext(
      chain,
      signatures.map((each) => describeStatus(chain, chain.ledger.get(each))),
    )
  },
  getSignaturesForAddress: (chain, params) => {
    const [of, options] = parseParams(z.tuple([address, signaturesConfig], z.any()), params)
    const { before, until, limit } = options
    const entries = chain.ledger
      .ofAddress(of)
      .filter((entry) => isVisible(chain, entry, options.commitment))
      .reverse()
    const place = (signature: string | undefined) =>
      entries.findIndex((entry) => entry.signature === signature)
    const first = before === undefined ? 0 : place(before) + 1
    if (before !== undefined && first === 0) return []
    const end = place(until)
    return entries
      .slice(first, end < 0 ? undefined : end)
      .slice(0, limit)
      .map((entry) => ({
        signature: entry.signature,
        slot: entry.slot,
        err: entry.error,
        memo: readMemo(chain, entry),
        blockTime: entry.time,
        confirmationStatus: getStatus(chain, entry),
      }))
  },
  getTransaction: (chain, params) => {
    const [of, given] = parseParams(
      z.tuple([signature, z.union([encoding, readConfig]).prefault({})], z.any()),
      params,
    )
    const options = typeof given === 'string' ? readConfig.parse({ encoding: given }) : given
    const entry = chain.ledger.get(of)
    if (!entry || !isVisible(chain, entry, options.commitment)) return null
    const encoded = encode(chain, entry, options)
    return { slot: entry.slot, blockTime: entry.time, ...encoded }
  },
  getBlock: (chain, params) => {
    const [slot, options] = parseParams(z.tuple([z.int().min(0), blockConfig], z.any()), params)
    if (slot > chain.slots.current())
      throw new RpcError(-32004, `Block not available for slot ${slot}`)
    const entries = chain.ledger.ofSlot(slot)
    const parentSlot = Math.max(0, slot - 1)
    const facts = {
      blockhash: chain.slots.blockhash(slot),
      previousBlockhash: chain.slots.blockhash(parentSlot),
      blockHeight: slot,
      blockTime: entries[0]?.time ?? chain.slots.time(slot),
      ...{ parentSlot, rewards: [] },
    }
    if (options.transactionDetails === 'none') return facts
    if (options.transactionDetails === 'signatures')
      return { ...facts, signatures: entries.map((entry) => entry.signature) }
    return { ...facts, transactions: entries.map((entry) => encode(chain, entry, options)) }
  },
}

/** Whether a transaction is visible at a commitment level. */
export const isVisible = (chain: SolanaChain, entry: Entry, commitment: Commitment): boolean =>
  commitment !== 'finalized' || chain.isFinal(entry)

const getStatus = (chain: SolanaChain, entry: Entry) =>
  chain.isFinal(entry) ? 'finalized' : 'confirmed'

function describeStatus(chain: SolanaChain, entry: Entry | undefined) {
  if (!entry) return null
  const confirmations = chain.isFinal(entry) ? null : chain.slots.current() - entry.slot
  const status = entry.error === null ? { Ok: null } : { Err: entry.error }
  const confirmationStatus = getStatus(chain, entry)
  return { slot: entry.slot, confirmations, err: entry.error, status, confirmationStatus }
}

function encode(
  chain: SolanaChain,
  entry: Entry,
  options: {
    encoding: z.infer<typeof encoding>
    maxSupportedTransactionVersion?: number | undefined
  },
) {
  const { version: found, ...encoded } = encodeTransaction(chain, { entry, ...options })
  if (options.maxSupportedTransactionVersion !== undefined) return { ...encoded, version: found }
  if (found === 'legacy') return encoded
  throw new RpcError(
    -32015,
    `Transaction version (${found}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${found}`,
  )
}

const memoPrograms: readonly string[] = [programs.memo, programs.oldMemo, programs.newMemo]

// With its length, as "[5] hello".
function readMemo(chain: SolanaChain, entry: Entry) {
  const { message } = chain.read(Buffer.from(entry.transaction, 'base64'))
  const memos = message.instructions.flatMap(({ programIdIndex, data }) =>
    memoPrograms.includes(message.keys[programIdIndex] ?? '')
      ? [`[${data.length}] ${Buffer.from(data).toString('utf8')}`]
      : [],
  )
  return memos.length === 0 ? null : memos.join('; ')
}
