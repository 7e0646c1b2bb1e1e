import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
} from '@solana-program/token'
import { z } from 'zod'
import { callRpc } from '../chains/rpc.ts'
import { programs } from '../chains/solana/definition.ts'
import { seedKeys } from '../chains/solana/seed/addresses.ts'
import { toSigner } from '../chains/solana/state/buildTransaction.ts'
import type { Payment } from './listSold.ts'

const latest = z.object({
  value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.number() }),
})

/** Sends SOL, or mints the local dollar into the buyer's token account. Returns the signature. */
export async function payOutSolana(url: string, { sold, to, units }: Payment): Promise<string> {
  if (sold.asset === 'native')
    return z.string().parse(await callRpc(url, 'requestAirdrop', [to, Number(units)]))
  const payer = await toSigner(seedKeys.payer)
  const mint = sold.asset as Address
  const owner = to as Address
  const tokenProgram = programs.token as Address
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, mint, owner, tokenProgram }),
    getMintToInstruction({ mint, token: ata, mintAuthority: payer, amount: units }),
  ]
  const { value } = latest.parse(await callRpc(url, 'getLatestBlockhash', []))
  const lifetime = {
    blockhash: value.blockhash as Blockhash,
    lastValidBlockHeight: BigInt(value.lastValidBlockHeight),
  }
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (each) => setTransactionMessageFeePayerSigner(payer, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
    (each) => appendTransactionMessageInstructions(instructions, each),
  )
  const signed = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
  const options = { encoding: 'base64' }
  return z.string().parse(await callRpc(url, 'sendTransaction', [signed, options]))
}
