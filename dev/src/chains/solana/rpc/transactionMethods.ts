import { type Blockhash, getBase58Encoder, type Transaction } from '@solana/kit'
import * as z from 'zod'
import { encodeAccount } from '../parse/encodeAccount.ts'
import { airdrop } from '../state/airdrop.ts'
import type { SolanaChain, TransactionResult } from '../state/openChain.ts'
import type { Message } from '../state/readMessage.ts'
import { describeTransactionError, type TransactionError } from '../state/transactionError.ts'
import { address, checkContext, config, type Methods, parseParams, withContext } from './params.ts'
import { invalidParams, RpcError } from './rpcError.ts'

const maxBytes = 1_232
const encoding = z.enum(['base58', 'base64']).default('base58')
const sendConfig = z
  .object({
    encoding,
    skipPreflight: z.boolean().default(false),
    minContextSlot: z.int().min(0).optional(),
  })
  .prefault({})
const simulateConfig = z
  .object({
    encoding,
    sigVerify: z.boolean().default(false),
    replaceRecentBlockhash: z.boolean().default(false),
    minContextSlot: z.int().min(0).optional(),
    innerInstructions: z.boolean().default(false),
    accounts: z
      .object({
        addresses: z.array(address).max(100),
        encoding: z.enum(['base64', 'jsonParsed']).default('base64'),
      })
      .optional(),
  })
  .prefault({})

/** Methods that send, simulate and price transactions. */
export const transactionMethods: Methods = {
  sendTransaction: (chain, params) => {
    const [text, options] = parseParams(z.tuple([z.string(), sendConfig], z.any()), params)
    checkContext(chain, options.minContextSlot)
    const { transaction, message } = readTransaction(chain, text, options.encoding)
    const { error } = judge(chain, message)
    const outcome = error ? fail(error) : chain.simulate(transaction)
    if (outcome.error === 'SignatureFailure')
      throw new RpcError(-32003, 'Transaction signature verification failure')
    if (outcome.error && !options.skipPreflight) throw toPreflightError(outcome)
    // Without a preflight, the caller does not learn the result.
    if (!error) chain.execute(transaction)
    return message.signature
  },
  simulateTransaction: (chain, params) => {
    const [text, options] = parseParams(z.tuple([z.string(), simulateConfig], z.any()), params)
    checkContext(chain, options.minContextSlot)
    if (options.sigVerify && options.replaceRecentBlockhash)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    const { transaction, message } = readTransaction(chain, text, options.encoding)
    const stale = !options.replaceRecentBlockhash && !isUsable(chain, message)
    const outcome = stale
      ? fail('BlockhashNotFound')
      : chain.simulate(transaction, { verifySignatures: options.sigVerify })
    if (outcome.error === 'SignatureFailure')
      throw new RpcError(-32003, 'Transaction signature verification failure')
    const blockhash = chain.slots.blockhash(chain.slots.current())
    const replaced = { blockhash, lastValidBlockHeight: chain.slots.current() + 150 }
    return withContext(chain, {
      ...describeOutcome(outcome),
      accounts: options.accounts ? encodeAfter(chain, outcome, options.accounts) : null,
      innerInstructions: options.innerInstructions ? outcome.inner : null,
      ...(options.replaceRecentBlockhash && { replacementBlockhash: replaced }),
    })
  },
  getFeeForMessage: (chain, params) => {
    const [text, { minContextSlot }] = parseParams(z.tuple([z.string(), config], z.any()), params)
    checkContext(chain, minContextSlot)
    const bytes = decodeText(text, 'base64')
    const signatures = bytes[0] && bytes[0] >= 0x80 ? bytes[1] : bytes[0]
    if (!signatures || signatures > 12) throw invalidParams('failed to deserialize message')
    const start = Buffer.concat([Buffer.from([signatures]), Buffer.alloc(64 * signatures)])
    const { transaction, message } = read(chain, Buffer.concat([start, bytes]))
    if (!isUsable(chain, message)) return withContext(chain, null)
    const { fee } = chain.simulate(transaction, { verifySignatures: false })
    return withContext(chain, fee)
  },
  requestAirdrop: async (chain, params) => {
    const schema = z.tuple([address, z.int().min(1).max(1_000_000_000_000), config], z.any())
    const [to, lamports] = parseParams(schema, params)
    return airdrop(chain, { to, lamports })
  },
}

/**
 * Checks whether a transaction may be executed now. A node reports an error if it has already
 * executed it.
 */
function judge(chain: SolanaChain, message: Message): { error?: TransactionError } {
  if (chain.ledger.get(message.signature)) return { error: 'AlreadyProcessed' }
  return isUsable(chain, message) ? {} : { error: 'BlockhashNotFound' }
}

// The virtual machine checks a durable nonce, which advances with the first instruction.
function isUsable(chain: SolanaChain, { blockhash, instructions, keys }: Message): boolean {
  if (chain.slots.isRecent(blockhash)) return true
  const [first] = instructions
  if (!first || keys[first.programIdIndex] !== '11111111111111111111111111111111') return false
  const nonce = chain.accounts.get(keys[first.accounts[0] ?? -1] ?? '')
  const stored = nonce?.data.length === 80 ? nonce.data.subarray(40, 72) : undefined
  const isAdvance = first.data[0] === 4 && first.data.length === 4
  const wanted = getBase58Encoder().encode(blockhash as Blockhash)
  return isAdvance && stored !== undefined && Buffer.compare(stored, new Uint8Array(wanted)) === 0
}

function readTransaction(chain: SolanaChain, text: string, encoding: 'base58' | 'base64') {
  return read(chain, decodeText(text, encoding))
}

function read(
  chain: SolanaChain,
  bytes: Uint8Array,
): { transaction: Transaction; message: Message } {
  try {
    return chain.read(bytes)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new RpcError(
      -32602,
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${why}`,
    )
  }
}

function decodeText(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  const longest = encoding === 'base64' ? 1_644 : 1_683
  const tooLong = `${encoding} encoded transaction too large: ${text.length} bytes (max: encoded/raw ${longest}/${maxBytes})`
  if (text.length > longest) throw new RpcError(-32602, tooLong)
  const bytes = encoding === 'base64' ? fromBase64(text) : fromBase58(text)
  if (!bytes) throw new RpcError(-32602, `invalid ${encoding} encoding`)
  if (bytes.length > maxBytes)
    throw new RpcError(
      -32602,
      `decoded transaction too large: ${bytes.length} bytes (max: ${maxBytes} bytes)`,
    )
  return bytes
}

const fromBase64 = (text: string) =>
  /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0
    ? new Uint8Array(Buffer.from(text, 'base64'))
    : undefined

function fromBase58(text: string) {
  try {
    return new Uint8Array(getBase58Encoder().encode(text))
  } catch {
    return undefined
  }
}

const fail = (error: TransactionError): TransactionResult => ({
  error,
  ...{ fee: 0, units: 0, logs: [], inner: [], returnData: null, accountsAfter: new Map() },
})

const describeOutcome = ({ error, logs, units, returnData, fee }: TransactionResult) => ({
  err: error,
  logs,
  unitsConsumed: units,
  ...{ returnData, fee, accounts: null, innerInstructions: null, replacementBlockhash: null },
})

function toPreflightError(outcome: TransactionResult) {
  const why = describeTransactionError(outcome.error ?? '')
  return new RpcError(-32002, `Transaction simulation failed: ${why}`, describeOutcome(outcome))
}

function encodeAfter(
  chain: SolanaChain,
  { accountsAfter, error }: TransactionResult,
  wanted: { addresses: readonly string[]; encoding: 'base64' | 'jsonParsed' },
) {
  const get = (each: string) => accountsAfter.get(each) ?? chain.accounts.get(each)
  return wanted.addresses.map((each) => {
    const account = error ? undefined : get(each)
    return account && account.lamports > 0
      ? encodeAccount(account, { encoding: wanted.encoding, get })
      : null
  })
}
