import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { entryPoint, packOperation, type UserOperation } from './userOperation.ts'

/** A call of a node with its block and overrides. */
export type Simulation = { readonly method: string; readonly params: readonly unknown[] }

/** Gas of a bundle in addition to its operations, and for each authorization (EIP-7702). */
const bundleGas = 200_000n
const authorizationGas = 25_000n

/** The gas limit of a transaction with these operations and their authorizations. */
export function getBundleGas(operations: readonly UserOperation[]): bigint {
  const used = operations.reduce((sum, one) => sum + getOperationGas(one), 0n)
  const authorizations = operations.filter(({ eip7702Auth }) => eip7702Auth).length
  // A call passes on 63/64 of the remaining gas.
  return (used * 64n) / 63n + bundleGas + authorizationGas * BigInt(authorizations)
}

/** All gas that an operation may use, including the gas for its bytes. */
export const getOperationGas = (one: UserOperation): bigint =>
  one.callGasLimit +
  one.verificationGasLimit +
  one.preVerificationGas +
  (one.paymasterVerificationGasLimit ?? 0n) +
  (one.paymasterPostOpGasLimit ?? 0n)

export const encodeBundle = (operations: readonly UserOperation[], beneficiary: Address): Hex =>
  encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [operations.map(packOperation), beneficiary],
  })

/** Bytes of a bundle's data and its authorizations; a node takes a transaction of up to 128 KiB. */
export const getBundleBytes = (operations: readonly UserOperation[]): number =>
  operations.reduce(
    (sum, one) => sum + encodeBundle([one], one.sender).length / 2 + (one.eip7702Auth ? 110 : 0),
    0,
  )

/** Gas that a byte of a transaction costs at most (EIP-7623). */
const byteGas = 40n

/**
 * The most gas that a bundle of these operations can lose because a validation fails in a block.
 */
export const getRiskedGas = (operations: readonly UserOperation[]): bigint =>
  operations.reduce(
    (sum, one) => sum + one.verificationGasLimit + (one.paymasterVerificationGasLimit ?? 0n),
    byteGas * BigInt(getBundleBytes(operations)),
  )

/** The most bytes of a bundle, with room for the rest of the transaction. */
export const maxBundleBytes = 120_000

/**
 * The state of the accounts after the transaction's authorizations (EIP-7702) have been applied.
 */
export function getOverrides(operations: readonly UserOperation[]): Record<Address, { code: Hex }> {
  const delegated = operations.flatMap(({ sender, eip7702Auth }) =>
    eip7702Auth ? [[sender, { code: getDelegation(eip7702Auth.address) }] as const] : [],
  )
  return Object.fromEntries(delegated)
}

/** The code of an account that delegates (EIP-7702). */
export const getDelegation = (delegate: Address): Hex =>
  `0xef0100${delegate.slice(2).toLowerCase()}`

/**
 * The simulation of the bundle as it would be sent now; `pending`: after the transactions that wait
 * at the node.
 */
export const simulateBundle = (
  operations: readonly UserOperation[],
  beneficiary: Address,
  block: 'latest' | 'pending' = 'latest',
): Simulation => ({
  method: 'eth_call',
  params: [
    {
      from: beneficiary,
      to: entryPoint,
      data: encodeBundle(operations, beneficiary),
      gas: numberToHex(getBundleGas(operations)),
    },
    block,
    getOverrides(operations),
  ],
})
