import { decodeBase58 } from '@latchkey/wire'
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { ApprovalRequest } from '../src/requests/approvalRequest.ts'
import { fetchTokenClaims } from '../src/requests/solana/fetchTokenClaims.ts'
import { createTestRequest } from './testRequest.ts'

/** The account that tests ask in the name of, on Solana: bytes of 17. */
export const own = '29d2S7vB453rNYFdR5Ycwt7y9haRT5fwVwL9zTmBhfV2' as Address

/** The address of another user: 32 bytes of value 34. */
export const other = '3JF3sEqM796hk5WFqA6EtmEwJQ9quALszsfJyvXNQKy3' as Address

export const solanaChain = {
  id: 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU',
  namespace: 'solana',
  reference: '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU',
  name: 'Solana',
  symbol: 'SOL',
  decimals: 9,
} as const
const genesis = '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz'
const anyBlockhash = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'

/**
 * A transaction of these instructions as base64, not signed. `tables`: addresses by lookup table.
 */
export function buildTransaction(
  instructions: readonly Instruction[],
  given: {
    feePayer?: Address
    tables?: Readonly<Record<string, readonly Address[]>>
    blockhash?: string
  } = {},
): string {
  const { feePayer = own, tables, blockhash = anyBlockhash } = given
  const empty = createTransactionMessage({ version: 0 })
  const paid = setTransactionMessageFeePayer(feePayer, empty)
  const lasting = setTransactionMessageLifetimeUsingBlockhash(
    { blockhash: blockhash as Blockhash, lastValidBlockHeight: 1n },
    paid,
  )
  const whole = appendTransactionMessageInstructions(instructions, lasting)
  const message = tables
    ? compressTransactionMessageUsingAddressLookupTables(
        whole,
        Object.fromEntries(Object.entries(tables).map(([table, list]) => [table, [...list]])),
      )
    : whole
  const bytes = getTransactionEncoder().encode(compileTransaction(message))
  return Buffer.from(bytes as Uint8Array).toString('base64')
}

type State = { owner: string; lamports?: number; data?: Uint8Array }

/** A node that knows these accounts; `after`: what it says of them after a simulation. */
export type Node = {
  accounts?: Readonly<Record<string, State | undefined>>
  after?: Readonly<Record<string, State | undefined>>
  simulationError?: unknown
  genesisHash?: unknown
  send?: (transaction: string) => unknown
}

/** Answers as that node does, and keeps what was sent to it. */
export function answerSolana(node: Node = {}): ApprovalRequest['read'] {
  const show = (state: State | undefined) =>
    state
      ? {
          owner: state.owner,
          lamports: state.lamports ?? 1_000_000,
          data: [Buffer.from(state.data ?? []).toString('base64'), 'base64'],
          executable: false,
        }
      : null
  return async (_, method, params) => {
    const [first, options] = params as [unknown, { accounts?: { addresses: string[] } }]
    if (method === 'getGenesisHash') return node.genesisHash ?? genesis
    if (method === 'getMultipleAccounts')
      return { value: (first as string[]).map((address) => show(node.accounts?.[address])) }
    if (method === 'simulateTransaction')
      return {
        value: {
          err: node.simulationError ?? null,
          logs: [],
          accounts: (options.accounts?.addresses ?? []).map((address) =>
            show({ ...node.accounts, ...node.after }[address]),
          ),
        },
      }
    if (method === 'sendTransaction' && node.send) return node.send(first as string)
    throw new Error(`no answer to ${method}`)
  }
}

/** The data of a token account. */
export function tokenAccountData(given: {
  mint: string
  owner: string
  amount: bigint
  delegate?: string
}): Uint8Array {
  const data = new Uint8Array(165)
  data.set(decodeBase58(given.mint) ?? [], 0)
  data.set(decodeBase58(given.owner) ?? [], 32)
  new DataView(data.buffer).setBigUint64(64, given.amount, true)
  if (given.delegate) {
    data[72] = 1
    data.set(decodeBase58(given.delegate) ?? [], 76)
  }
  data[108] = 1
  return data
}

/** The data of a mint. */
export function mintData(decimals: number): Uint8Array {
  const data = new Uint8Array(82)
  data[44] = decimals
  data[45] = 1
  return data
}

/** Claims of a server that returns this JSON for every request about tokens. */
export const claiming =
  (answer: string): ApprovalRequest['fetchTokenClaims'] =>
  (chain, addresses) => {
    const { fetch } = globalThis
    globalThis.fetch = async () =>
      new Response(answer, { headers: { 'content-type': 'application/json' } })
    // Restored before anything else runs: the request is sent synchronously.
    const claims = fetchTokenClaims(chain, addresses)
    globalThis.fetch = fetch
    return claims
  }

/** A request of a page on Solana, about to be prepared. */
export const createSolanaRequest = (
  method: string,
  params: unknown,
  more: Partial<ApprovalRequest> = {},
): ApprovalRequest =>
  createTestRequest({
    method,
    params,
    read: answerSolana(),
    keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
    chain: solanaChain,
    accounts: { eip155: '0x', solana: own },
    ...more,
  })
