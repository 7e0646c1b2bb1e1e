import {
  type Hex,
  keccak256,
  parseTransaction,
  serializeTransaction,
  size,
  slice,
  type TransactionSerializableEIP1559,
  type TransactionSerializableEIP7702,
} from 'viem'
import type { ChainBundler } from '../chainBundler.ts'
import { getPreVerificationGas } from './estimateGas.ts'
import { getLeastPrice, type Market } from './market.ts'
import { encodeBundle, getBundleGas } from './simulate.ts'
import { entryPoint, toAuthorization, type UserOperation } from './userOperation.ts'

type Priced = Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** A rollup's fee for a bundle's data, in wei; 0 on other networks. Throws RPC_UNAVAILABLE. */
export const getDataFee = ({ l1Fee }: Pick<ChainBundler, 'l1Fee'>, raw: Hex): Promise<bigint> => {
  const { data = '0x', gas = 0n } = parseTransaction(raw)
  return l1Fee({ raw, to: entryPoint, data, gas })
}

/** The amount that operations pay beyond their own gas, in wei, to cover the data fee. */
export const getDataIncome = (operations: readonly UserOperation[], market: Market): bigint =>
  operations.reduce((sum, one) => {
    const gas = one.preVerificationGas - getPreVerificationGas(one)
    return sum + gas * getLeastPrice(one, market)
  }, 0n)

/** Gas that pays for an operation's part of the data fee. Throws RPC_UNAVAILABLE. */
export async function getDataGas(
  chain: Pick<ChainBundler, 'l1Fee'>,
  operation: UserOperation,
  market: Market,
): Promise<bigint> {
  const fee = await getDataFee(chain, serializeAlone(operation))
  return fee === 0n ? 0n : divideUp(fee, getLeastPrice(getPriced(operation, market), market))
}

/** A draft may have no fees yet; then it will offer the market's. */
const getPriced = (operation: Priced, { maxFee, tip }: Market): Priced =>
  operation.maxFeePerGas > 0n ? operation : { maxFeePerGas: maxFee, maxPriorityFeePerGas: tip }

/**
 * The transaction of a bundle with this operation alone, without a signature, with the largest
 * possible number of bytes.
 */
function serializeAlone(operation: UserOperation): Hex {
  const { eip7702Auth } = operation
  const list = eip7702Auth && [toAuthorization(eip7702Auth)]
  const transaction = {
    chainId: 0xffffffff,
    nonce: 0xffffff,
    to: entryPoint,
    data: encodeBundle([operation], slice(keccak256(operation.sender), 12)),
    gas: getBundleGas([operation]),
    maxFeePerGas: operation.maxFeePerGas,
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
    accessList: [],
  }
  const full = list
    ? ({ ...transaction, type: 'eip7702', authorizationList: list } as const)
    : ({ ...transaction, type: 'eip1559' } as const)
  return serializeSigned(full)
}

/** The transaction with bytes that look like a signature. */
export const serializeSigned = (
  transaction: TransactionSerializableEIP1559 | TransactionSerializableEIP7702,
): Hex => serializeTransaction(transaction, signatureOf(transaction.data ?? '0x'))

/**
 * Bytes that look like a signature: a rollup compresses data, and random data costs more than
 * repeating data.
 */
const signatureOf = (seed: Hex) => ({
  r: keccak256(seed),
  s: keccak256(keccak256(seed)),
  yParity: 0,
})

/**
 * The operation with random bytes in place of unknown fields, like the signatures that it will have
 * when it is sent.
 */
export const fillUnknown = (operation: UserOperation): UserOperation => ({
  ...operation,
  signature: makeNoise(size(operation.signature) === 0 ? emptySignature : operation.signature),
  ...(operation.paymasterData !== undefined && {
    paymasterData: makeNoise(operation.paymasterData),
  }),
  ...(operation.eip7702Auth && {
    eip7702Auth: {
      ...operation.eip7702Auth,
      r: keccak256(operation.sender),
      s: keccak256(keccak256(operation.sender)),
    },
  }),
})

const emptySignature: Hex = `0x${'00'.repeat(65)}`

/** Incompressible bytes with the length of `like`. */
function makeNoise(like: Hex): Hex {
  let noise = ''
  for (let block: Hex = keccak256(like); noise.length < 2 * size(like); block = keccak256(block))
    noise += block.slice(2)
  return `0x${noise.slice(0, 2 * size(like))}`
}

const divideUp = (amount: bigint, by: bigint) => (by === 0n ? amount : (amount + by - 1n) / by)
