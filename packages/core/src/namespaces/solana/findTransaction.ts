import { bytesToHex, decodeBase64 } from '@latchkey/wire'
import type { Address } from '@solana/kit'
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import type { Request } from '../request.ts'
import { commitment, invalidResponse } from './nodeResponses.ts'
import { parseMessage, parseSignedTransaction } from './transaction/parseTransaction.ts'

/** How many recent transactions of an account are searched for its newest transaction. */
const recentCount = 20

/** The effects of a transaction, in a form that can be compared. */
type Content = { payer: string; blockhash: string; instructions: readonly string[] }

type SentSignature = { node: Request; messageBytes: Uint8Array }

/**
 * The signature of an account's transaction that does what the message requests, with its block
 * hash; undefined while no block contains it.
 */
export async function findSolanaTransaction({
  node,
  from,
  messageBytes,
}: SentSignature & { from: Address }): Promise<string | undefined> {
  const expected = readMessage(messageBytes)
  const recent = await node('getSignaturesForAddress', [from, { limit: recentCount, commitment }])
  if (!Array.isArray(recent)) throw invalidResponse()
  for (const { signature } of recent as { signature?: unknown }[]) {
    if (typeof signature !== 'string') throw invalidResponse()
    const content = await readTransaction(node, signature)
    if (content?.blockhash === expected.blockhash && contains(content, expected)) return signature
  }
  return undefined
}

/**
 * Whether a transaction does what a message requests, and perhaps more; undefined while no block
 * contains it.
 */
export async function isSameTransaction(
  signature: string,
  { node, messageBytes }: SentSignature,
): Promise<boolean | undefined> {
  const found = await readTransaction(node, signature)
  return found && contains(found, readMessage(messageBytes))
}

function contains(found: Content, own: Content): boolean {
  // Wallets choose their own compute budget and add instructions that guard the others.
  const instructions = own.instructions.filter(
    (each) => !each.startsWith(COMPUTE_BUDGET_PROGRAM_ADDRESS),
  )
  let count = 0
  for (const instruction of found.instructions) if (instruction === instructions[count]) count += 1
  return found.payer === own.payer && count === instructions.length
}

async function readTransaction(node: Request, signature: string): Promise<Content | undefined> {
  const settings = { encoding: 'base64', commitment, maxSupportedTransactionVersion: 0 }
  const answer = await node('getTransaction', [signature, settings])
  if (answer === null || answer === undefined) return undefined
  const { transaction } = answer as { transaction?: unknown }
  const text = Array.isArray(transaction) ? transaction[0] : undefined
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined
  const parsed = bytes && parseSignedTransaction(bytes)
  if (!parsed) throw invalidResponse()
  return readMessage(parsed.message)
}

function readMessage(bytes: Uint8Array): Content {
  const { signers, blockhash, instructions } = parseMessage(bytes)
  return {
    payer: signers[0] ?? '',
    blockhash,
    instructions: instructions.map(({ program, accounts, data }) =>
      // Flags are ignored, because other parts of a transaction can make an account writable.
      [program, ...accounts.map((account) => account.split(':')[0]), bytesToHex(data)].join(' '),
    ),
  }
}
