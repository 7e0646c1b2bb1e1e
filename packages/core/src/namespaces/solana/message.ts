import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import type { Request } from '../request.ts'
import { commitment, invalidResponse, toCount, toValue } from './nodeResponses.ts'

/** The period in which a transaction can be included in a block. */
export type Lifetime = { blockhash: Blockhash; lastValidBlockHeight: bigint }

/**
 * The limit of a transaction's compute units, and the price in millionths of a lamport for each
 * unit.
 */
export type ComputeBudget = { units: number; microLamports: bigint }

/** A transaction's message, and the transaction in base64 with zeros for the signature. */
export type CompiledMessage = { messageBytes: Uint8Array; unsigned: string }

/** The newest lifetime. Throws ANSWER_INVALID. */
export async function readLifetime(node: Request): Promise<Lifetime> {
  const value = toValue(await node('getLatestBlockhash', [{ commitment }]))
  const { blockhash, lastValidBlockHeight } = (value ?? {}) as Record<string, unknown>
  if (typeof blockhash !== 'string') throw invalidResponse()
  return {
    blockhash: blockhash as Blockhash,
    lastValidBlockHeight: toCount(lastValidBlockHeight),
  }
}

/** Compiles a transaction of version 0 that one account pays and signs. */
export function compile({
  from,
  instructions,
  budget,
  lifetime,
}: {
  from: Address
  instructions: readonly Instruction[]
  budget: ComputeBudget
  lifetime: Lifetime
}): CompiledMessage {
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(from, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) =>
      appendTransactionMessageInstructions(
        [
          getSetComputeUnitLimitInstruction({ units: budget.units }),
          getSetComputeUnitPriceInstruction({ microLamports: budget.microLamports }),
          ...instructions,
        ],
        message,
      ),
    compileTransaction,
  )
  return {
    messageBytes: Uint8Array.from(transaction.messageBytes),
    unsigned: getBase64EncodedWireTransaction(transaction),
  }
}
