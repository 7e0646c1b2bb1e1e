import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Transaction,
} from '@solana/kit'
import { nameAccount, type SolanaAccount } from '../keys.ts'
import { solanaAddresses } from '../seed/addresses.ts'
import { blockhashLifetime } from './createSlots.ts'
import type { SolanaChain } from './openChain.ts'

/** The account that pays airdrops. */
export const faucet: SolanaAccount = nameAccount('faucet')

/**
 * A signed transaction with the blockhash of `slot`: v0 if it has a lookup table (the seeded table,
 * with its entries), else legacy.
 */
export function buildTransaction(
  chain: SolanaChain,
  parameters: {
    payer: KeyPairSigner
    instructions: readonly Instruction[]
    slot: number
    lookupTable?: readonly string[]
  },
): Promise<Transaction> {
  const { payer, instructions, slot, lookupTable } = parameters
  const lifetime = {
    blockhash: chain.slots.blockhash(slot) as Blockhash,
    lastValidBlockHeight: BigInt(slot + blockhashLifetime),
  }
  const fill = <Message extends ReturnType<typeof createTransactionMessage>>(empty: Message) =>
    pipe(
      empty,
      (each) => setTransactionMessageFeePayerSigner(payer, each),
      (each) => setTransactionMessageLifetimeUsingBlockhash(lifetime, each),
      (each) => appendTransactionMessageInstructions(instructions, each),
    )
  if (!lookupTable)
    return signTransactionMessageWithSigners(fill(createTransactionMessage({ version: 'legacy' })))
  const message = fill(createTransactionMessage({ version: 0 }))
  const tables = { [solanaAddresses.lookupTable]: lookupTable as Address[] }
  return signTransactionMessageWithSigners(
    compressTransactionMessageUsingAddressLookupTables(message, tables),
  )
}

/** Signs with a development account's key. */
export const toSigner = ({ privateKey }: SolanaAccount): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(Buffer.from(privateKey, 'hex'))
