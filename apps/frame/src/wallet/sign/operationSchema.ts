import * as z from 'zod/mini'

const hexData = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(100_000))
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const uint256 = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/))
const uint128 = z.string().check(z.regex(/^0x[0-9a-f]{1,32}$/))

/**
 * A user operation of EntryPoint 0.8. The entry point is not a field, and both possible delegates
 * are pinned.
 */
const userOperation = z.strictObject({
  chainId: z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)),
  /** The account delegates to the contract that executes for permissions. */
  delegate: z.optional(z.literal('permissions')),
  sender: address,
  nonce: uint256,
  callData: hexData,
  callGasLimit: uint128,
  verificationGasLimit: uint128,
  preVerificationGas: uint256,
  maxFeePerGas: uint128,
  maxPriorityFeePerGas: uint128,
  paymaster: z.optional(
    z.strictObject({
      address,
      verificationGasLimit: uint128,
      postOpGasLimit: uint128,
      data: hexData,
    }),
  ),
})
export type SignableOperation = z.infer<typeof userOperation>

/** An authorization (EIP-7702) in the format of JSON-RPC. */
export const signedAuthorization = z.strictObject({
  address,
  chainId: uint256,
  nonce: uint256,
  r: uint256,
  s: uint256,
  yParity: uint256,
})
export type SignedAuthorization = z.infer<typeof signedAuthorization>

/**
 * The parameters of `signUserOperation`: `authorize` is the account's next nonce, if the account
 * has yet to delegate.
 */
export const operationToSign = z.strictObject({
  operation: userOperation,
  authorize: z.optional(uint256),
})

/** The network, and the nonce of the account, at which a delegation ends. */
export const ending = z.strictObject({
  chainId: z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)),
  nonce: uint256,
})
export type DelegationEnding = z.infer<typeof ending>

/**
 * A transaction of the account to itself that ends its delegation: EIP-7702 with the zero address,
 * and nothing else.
 */
export const revocation = z.strictObject({
  chainId: z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)),
  nonce: uint256,
  gas: uint256,
  maxFeePerGas: uint256,
  maxPriorityFeePerGas: uint256,
})
export type Revocation = z.infer<typeof revocation>
