import { getBase58Decoder, getBase58Encoder } from '@solana/kit'
import type { Entry, TokenBalance } from '../state/ledger.ts'
import type { SolanaChain } from '../state/openChain.ts'
import { getRole, type Message } from '../state/readMessage.ts'
import { parseInstruction } from './parseInstruction.ts'
import { toUiAmount } from './readToken.ts'

/** Encoding of a transaction. */
export type TransactionEncoding = 'base58' | 'base64' | 'json' | 'jsonParsed'

type Instruction = {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
  readonly stackHeight: number
}

/** A transaction in the form of `getTransaction`: `meta`, `transaction` and `version`. */
export function encodeTransaction(
  chain: SolanaChain,
  { entry, encoding }: { entry: Entry; encoding: TransactionEncoding },
) {
  const bytes = Buffer.from(entry.transaction, 'base64')
  // The entry contains the loaded addresses, because its lookup tables may have been closed since.
  const { message: read } = chain.read(bytes)
  const message: Message = { ...read, loaded: entry.loaded, keys: entry.keys }
  return {
    version: message.version,
    meta: encodeMeta({ entry, message, encoding }),
    transaction: encodeBody({ entry, message, encoding }),
  }
}

type Context = { entry: Entry; message: Message; encoding: TransactionEncoding }

function encodeBody({ entry, message, encoding }: Context) {
  if (encoding === 'base64') return [entry.transaction, encoding]
  if (encoding === 'base58')
    return [getBase58Decoder().decode(Buffer.from(entry.transaction, 'base64')), encoding]
  const { signatures, header, blockhash: recentBlockhash, lookups } = message
  const instructions = message.instructions.map((each) => ({ ...each, stackHeight: 1 }))
  const tables = message.version === 'legacy' ? {} : { addressTableLookups: lookups }
  if (encoding === 'json') {
    const body = { header, accountKeys: message.staticKeys, recentBlockhash, ...tables }
    return { signatures, message: { ...body, instructions: instructions.map(encodeInstruction) } }
  }
  const accountKeys = message.keys.map((pubkey, index) => ({
    pubkey,
    ...getRole(message, index),
    source: index < message.staticKeys.length ? 'transaction' : 'lookupTable',
  }))
  const parsed = instructions.map((each) => encodeParsed(message, each))
  return { signatures, message: { accountKeys, recentBlockhash, ...tables, instructions: parsed } }
}

function encodeMeta({ entry, message, encoding }: Context) {
  const innerInstructions = entry.inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((each) => {
      const data = new Uint8Array(getBase58Encoder().encode(each.data))
      const instruction = { ...each, data }
      return encoding === 'jsonParsed'
        ? encodeParsed(message, instruction)
        : encodeInstruction(instruction)
    }),
  }))
  return {
    err: entry.error,
    status: entry.error === null ? { Ok: null } : { Err: entry.error },
    fee: entry.fee,
    preBalances: entry.balancesBefore,
    postBalances: entry.balancesAfter,
    preTokenBalances: entry.tokensBefore.map(encodeTokenBalance),
    postTokenBalances: entry.tokensAfter.map(encodeTokenBalance),
    innerInstructions,
    logMessages: entry.logs,
    ...(encoding !== 'jsonParsed' && { loadedAddresses: entry.loaded }),
    rewards: [],
    computeUnitsConsumed: entry.units,
    ...(entry.returnData && { returnData: entry.returnData }),
  }
}

const encodeTokenBalance = ({ amount, decimals, ...balance }: TokenBalance) => ({
  ...balance,
  uiTokenAmount: toUiAmount(BigInt(amount), decimals),
})

const encodeInstruction = ({ data, ...instruction }: Instruction) => ({
  ...instruction,
  data: getBase58Decoder().decode(data),
})

/** An instruction in the form of `jsonParsed`: parsed, or with its accounts and data. */
function encodeParsed(message: Message, instruction: Instruction) {
  const { stackHeight, data } = instruction
  const programId = message.keys[instruction.programIdIndex] ?? ''
  const accounts = instruction.accounts.map((index) => message.keys[index] ?? '')
  const parsed = parseInstruction({ programId, accounts, data })
  if (parsed) return { ...parsed, programId, stackHeight }
  return { programId, accounts, data: getBase58Decoder().decode(data), stackHeight }
}
