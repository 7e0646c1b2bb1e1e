import { type Address, type Hex, numberToHex, pad } from 'viem'
import {
  entryPoint08Address,
  getUserOperationHash,
  toPackedUserOperation,
} from 'viem/account-abstraction'
import * as z from 'zod'
import { addressPattern } from '../../evm/address.ts'

/** The only supported EntryPoint: 0.8 of ERC-4337, at the same address on every network. */
export const entryPoint = entryPoint08Address.toLowerCase() as Address

const maxDataBytes = 48 * 1024

/**
 * A string of this form. The error describes the expected string, or reports that it is missing.
 */
const text = (form: RegExp, what: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : `must be ${what}`) })
    .regex(form, `must be ${what}`)
const object = {
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? 'is missing' : 'must be an object',
}

const lower = (value: string) => value.toLowerCase() as Hex
const address = text(addressPattern, 'an address: 0x and 40 hex digits').transform(lower)
const bytes = text(/^0x([0-9a-fA-F]{2})*$/, 'bytes: 0x and an even number of hex digits')
  .max(2 + 2 * maxDataBytes, `must have at most ${maxDataBytes} bytes`)
  .transform(lower)
const quantity = text(/^0x[0-9a-fA-F]{1,64}$/, 'a quantity: 0x and 1 to 64 hex digits')
/** A quantity. Some clients write small quantities as JSON numbers, and `0x` for zero. */
const small = z.preprocess((value) => {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return numberToHex(Number(value))
  return value === '0x' ? '0x0' : value
}, quantity.transform(BigInt))
const uint = (bits: number) =>
  small.refine((value) => value < 1n << BigInt(bits), `must be below 2^${bits}`)
/** A word that may be written as a quantity, without leading zeros. */
const word = quantity.transform((value) => pad(lower(value)))

/**
 * The older form of `yParity`, as 27 and 28 or as 0 and 1: some clients send it alone, others send
 * both.
 */
const recovery = small
  .refine((value) => [0n, 1n, 27n, 28n].includes(value), 'must be 0, 1, 27 or 28')
  .transform((value) => (value < 27n ? value : value - 27n))

/** An authorization (EIP-7702) in JSON-RPC form. */
export const authorization = z
  .object(
    {
      chainId: uint(64),
      address,
      nonce: uint(64),
      r: word,
      s: word,
      /** Other numbers recover the same account here, but another account on the network. */
      yParity: uint(1).optional(),
      v: recovery.optional(),
    },
    object,
  )
  .transform(({ v, yParity = v, ...rest }, context) => {
    const fail = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (yParity === undefined) fail('yParity', 'is missing')
    else if (v !== undefined && v !== yParity) fail('v', 'must be yParity or 27 + yParity')
    return { ...rest, yParity: yParity ?? 0n }
  })

const fields = {
  sender: address,
  nonce: small,
  /**
   * The account exists already, or delegates by EIP-7702 with this marker, which puts the delegate
   * into the hash.
   */
  factory: z.literal('0x7702', 'must be 0x7702').optional(),
  factoryData: z.literal('0x', 'must be 0x').optional(),
  callData: bytes,
  paymaster: address.optional(),
  paymasterVerificationGasLimit: uint(128).optional(),
  paymasterPostOpGasLimit: uint(128).optional(),
  paymasterData: bytes.optional(),
  signature: bytes,
  eip7702Auth: authorization.optional(),
} as const
const gasFields = {
  callGasLimit: uint(128),
  verificationGasLimit: uint(128),
  preVerificationGas: uint(128),
  maxFeePerGas: uint(128),
  maxPriorityFeePerGas: uint(128),
} as const

/** A complete user operation in JSON-RPC form, for EntryPoint 0.7 and 0.8 (ERC-7769). */
export const userOperation = z.object({ ...fields, ...gasFields }, object)
export type UserOperation = z.infer<typeof userOperation>

const zero = uint(128).default(0n)
/** An operation whose gas, fees and signature may be unknown yet. */
export const userOperationDraft = z.object(
  {
    ...fields,
    signature: bytes.default('0x'),
    callGasLimit: zero,
    verificationGasLimit: zero,
    preVerificationGas: zero,
    maxFeePerGas: zero,
    maxPriorityFeePerGas: zero,
  },
  object,
)

export type PackedUserOperation = ReturnType<typeof toPackedUserOperation>

/** The operation in the EntryPoint's packed form. */
export const packOperation = ({
  eip7702Auth: _,
  ...operation
}: UserOperation): PackedUserOperation => ({
  ...toPackedUserOperation(operation as never),
  initCode: operation.factory ?? '0x',
})

/**
 * The hash of the operation (EIP-712, EntryPoint 0.8). `delegate`: the sender's delegate, if any.
 */
export function hashOperation(
  operation: UserOperation,
  { chainId, delegate }: { readonly chainId: number; readonly delegate: Address | undefined },
): Hex {
  const { eip7702Auth: _, ...rest } = operation
  return getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.8',
    userOperation: {
      ...rest,
      ...(operation.factory === '0x7702' &&
        delegate && { authorization: { address: delegate, chainId, nonce: 0 } }),
    } as never,
  })
}

export type Authorization = z.infer<typeof authorization>

/** An authorization (EIP-7702) in viem's form. */
export const toAuthorization = ({ chainId, address, nonce, r, s, yParity }: Authorization) => ({
  chainId: Number(chainId),
  address,
  nonce: Number(nonce),
  r,
  s,
  yParity: Number(yParity),
})

/** Half the order of the curve (EIP-2). */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Whether the signature has the form that networks accept. A second valid signature, with a larger
 * `s`, is ignored by networks but costs gas.
 */
export const isCanonical = ({ s }: Pick<Authorization, 's'>): boolean => BigInt(s) <= maxS

/** The JSON-RPC form, for the database and for responses. */
export const formatOperation = (operation: UserOperation): Record<string, unknown> =>
  toJson(operation)

const toJson = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      if (one === undefined) return []
      if (typeof one === 'bigint') return [[key, numberToHex(one)]]
      return [[key, typeof one === 'object' ? toJson(one) : one]]
    }),
  )
