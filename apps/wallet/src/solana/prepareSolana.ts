import {
  bytesToHex,
  decodeBase58,
  decodeBase64,
  decodeUtf8,
  encodeBase58,
  encodeBase64,
} from '@latchkey/wire'
import {
  type Address,
  getTransactionEncoder,
  type SignatureBytes,
  type Transaction,
} from '@solana/kit'
import * as z from 'zod/mini'
import type { SolanaChain } from '../config.ts'
import { requestNode } from '../node.ts'
import { invalidParams } from '../requests/parameters.ts'
import type { PreparedRequest, Row, WalletRequest } from '../requests/walletRequest.ts'
import { connectSolanaSite, currentSolanaAccount } from '../state.ts'
import { solanaAccounts } from './accounts.ts'
import { describeInstruction, toSol } from './describeInstruction.ts'
import { prepareSignIn } from './prepareSignIn.ts'
import { encodeMessage, type ReadTransaction, readTransaction } from './readTransaction.ts'
import { signSolana } from './signSolana.ts'

const maxTransactions = 20

const messageParams = z.object({ message: z.string(), pubkey: z.string() })
const transactionParams = z.object({
  transaction: z.string(),
  pubkey: z.optional(z.string()),
  sendOptions: z.optional(z.record(z.string(), z.unknown())),
})
const transactionsParams = z.object({
  transactions: z.array(z.string()).check(z.minLength(1), z.maxLength(maxTransactions)),
  pubkey: z.optional(z.string()),
})

/** Prepares a Solana request (WalletConnect's methods) for display. Throws LatchkeyError. */
export async function prepareSolana(
  ask: WalletRequest & { chain: SolanaChain },
): Promise<PreparedRequest> {
  const { call } = ask
  if (call.method === 'solana_requestAccounts') return prepareConnect(ask)
  if (call.method === 'solana_signIn') return prepareSignIn(ask)
  if (call.method === 'solana_signMessage') return prepareMessage(ask)
  if (call.method === 'solana_signAllTransactions') {
    const { transactions, pubkey } = parse(transactionsParams, call.params)
    return prepareTransactions(ask, { transactions, pubkey })
  }
  const { transaction, pubkey } = parse(transactionParams, call.params)
  return prepareTransactions(ask, { transactions: [transaction], pubkey })
}

function prepareConnect({ origin, state }: WalletRequest): PreparedRequest {
  const account = currentSolanaAccount(state)
  return {
    title: 'Connect this site on Solana?',
    rows: [
      { label: 'Account', value: account },
      { label: 'Allows', value: 'See this address and request signatures' },
    ],
    approve: async () => {
      connectSolanaSite(origin, Date.now())
      return [{ pubkey: account }]
    },
  }
}

function prepareMessage({ call, state }: WalletRequest): PreparedRequest {
  const { message, pubkey } = parse(messageParams, call.params)
  const index = findIndex(state, pubkey)
  const bytes = decodeBase58(message)
  if (!bytes) throw invalidParams('message')
  return {
    title: 'Sign this message?',
    rows: [
      { label: 'Message', text: toReadable(bytes) },
      { label: 'Account', value: pubkey },
    ],
    approve: async () => ({ signature: encodeBase58(await signSolana(index, bytes)) }),
  }
}

async function prepareTransactions(
  { call, chain, state }: WalletRequest & { chain: SolanaChain },
  { transactions, pubkey }: { transactions: readonly string[]; pubkey: string | undefined },
): Promise<PreparedRequest> {
  const account = pubkey ?? currentSolanaAccount(state)
  const index = findIndex(state, account)
  const read = await Promise.all(
    transactions.map((text) =>
      readTransaction(chain, fromBase64(text)).catch(() => {
        throw invalidParams('transaction')
      }),
    ),
  )
  for (const { signers } of read)
    if (!signers.includes(account))
      throw invalidParams('the account does not sign this transaction')
  const described = await Promise.all(read.map((one) => describe(chain, one)))
  const isSent = call.method === 'solana_signAndSendTransaction'
  const many = read.length > 1
  const rows = described.flatMap(({ rows }, at) =>
    rows.map((row) => (many ? { ...row, label: `${at + 1} · ${row.label}` } : row)),
  )
  const isUnknown = described.some((one) => one.isUnknown)
  const sponsored = read.some(({ feePayer }) => feePayer !== account)
  const warnings = [
    ...(isUnknown ? ['The wallet cannot say what all of this does.'] : []),
    ...(sponsored ? ['Somebody else pays the fee.'] : []),
  ]
  const verb = isSent ? 'Send' : 'Sign'
  return {
    title: many ? `${verb} ${read.length} transactions?` : `${verb} this transaction?`,
    rows: [...rows, { label: 'Network', value: chain.name }, { label: 'Account', value: account }],
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    approve: async () => {
      const signed = await Promise.all(
        read.map(({ transaction }) => sign(transaction, { account, index })),
      )
      const [first] = signed
      if (!first) throw invalidParams('transaction')
      if (call.method === 'solana_signAllTransactions')
        return { transactions: signed.map(({ wire }) => wire) }
      if (!isSent) return { signature: first.signature, transaction: first.wire }
      const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
      const signature = await requestNode(chain, 'sendTransaction', [first.wire, options])
      return { signature }
    },
  }
}

async function describe(
  chain: SolanaChain,
  { transaction, feePayer, instructions }: ReadTransaction,
): Promise<{ rows: Row[]; isUnknown: boolean }> {
  const described = await Promise.all(instructions.map((one) => describeInstruction(chain, one)))
  const rows = described.map(({ title, facts }, index) => ({
    label: `${index + 1}. ${title}`,
    tree: facts,
  }))
  const message = encodeMessage(transaction)
  const fee = (await requestNode(chain, 'getFeeForMessage', [
    message,
    { commitment: 'confirmed' },
  ]).catch(() => undefined)) as { value: number | null } | undefined
  const known = fee?.value === null || fee === undefined ? 'Not known' : toSol(BigInt(fee.value))
  return {
    rows: [...rows, { label: 'Fee', value: known }, { label: 'Paid by', value: feePayer }],
    isUnknown: described.some((one) => one.isUnknown),
  }
}

async function sign(
  transaction: Transaction,
  { account, index }: { account: string; index: number },
): Promise<{ wire: string; signature: string }> {
  const own = await signSolana(index, new Uint8Array(transaction.messageBytes))
  const signatures = { ...transaction.signatures, [account as Address]: own as SignatureBytes }
  const wire = new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }))
  return { wire: encodeBase64(wire), signature: encodeBase58(own) }
}

/** The index of the account that a page names. Throws unless it is the account in use. */
function findIndex(state: WalletRequest['state'], pubkey: string): number {
  const current = currentSolanaAccount(state)
  if (pubkey !== current) throw invalidParams('pubkey')
  return solanaAccounts.indexOf(current)
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, params)
  if (!parsed.success) throw invalidParams(String(parsed.error.issues[0]?.path.join('.')))
  return parsed.data
}

function fromBase64(text: string): Uint8Array {
  const bytes = decodeBase64(text)
  if (!bytes) throw invalidParams('transaction')
  return bytes
}

/** The bytes as text, or the bytes themselves if they are not text. */
const toReadable = (bytes: Uint8Array): string => decodeUtf8(bytes) ?? `0x${bytesToHex(bytes)}`
