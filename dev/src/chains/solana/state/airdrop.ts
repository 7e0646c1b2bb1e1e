import { type Address, getSignatureFromTransaction, lamports as toLamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { buildTransaction, faucet, toSigner } from './buildTransaction.ts'
import { blockhashLifetime } from './createSlots.ts'
import type { SolanaChain } from './openChain.ts'

/** Sends SOL from the faucet, like `requestAirdrop`, and returns the signature. */
export async function airdrop(
  chain: SolanaChain,
  { to, lamports }: { to: string; lamports: number },
): Promise<string> {
  const payer = await toSigner(faucet)
  const instruction = getTransferSolInstruction({
    source: payer,
    destination: to as Address,
    amount: toLamports(BigInt(lamports)),
  })
  const newest = chain.slots.current()
  // With an older blockhash, the same amount to the same account is a different transaction.
  for (let slot = newest; slot > Math.max(-1, newest - blockhashLifetime); slot--) {
    const transaction = await buildTransaction(chain, { payer, instructions: [instruction], slot })
    const signature = getSignatureFromTransaction(transaction)
    if (chain.ledger.get(signature)) continue
    const { error } = chain.execute(transaction)
    if (error) throw new Error(`the faucet could not pay: ${JSON.stringify(error)}`)
    return signature
  }
  throw new Error('the faucet has paid this too often; wait a moment')
}
