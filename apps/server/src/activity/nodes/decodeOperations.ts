import { userOperationDomain, userOperationTypes } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import { concat, decodeFunctionData, hashTypedData, parseAbi } from 'viem'
import { entryPoint08Abi, entryPoint08Address } from 'viem/account-abstraction'
import { type Hex, hexToBytes } from '../../evm/hex.ts'
import { simple7702Account } from '../../evm/smartAccount.ts'
import type { ActivityTransfer } from '../activity.ts'
import { parseFields, parseList, parseLog } from './parseFields.ts'

/**
 * A user operation in a transaction, and the native currency that it transfers if it succeeds with
 * any of the hashes.
 */
export type CarriedOperation = {
  readonly hashes: readonly Hex[]
  readonly transfers: readonly ActivityTransfer[]
}

/** The EntryPoint, in lower case. */
export const entryPoint = entryPoint08Address.toLowerCase()
/** `handleOps` of EntryPoint 0.7 and later. */
const handleOps = '0x765e827f'
/** `executeBatch` of the account. */
const executeBatch = '0x34fcd5be'
/**
 * `UserOperationEvent(bytes32 indexed, address indexed, address indexed, uint256, bool, uint256,
 * uint256)`.
 */
export const operationTopic = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
/** The known delegates of accounts. Both execute exactly the calls in their calldata. */
const delegates: readonly Hex[] = [simple7702Account, permissionContracts.account]
/**
 * The marker in `initCode` of an account that delegates; the EntryPoint replaces it by the delegate
 * before it hashes.
 */
const delegationMarker = /^0x7702(00){18}|^0x7702$/

/**
 * The maximum number of operations per transaction, and of calls per operation. Bounded because
 * transactions of unknown senders are decoded too.
 */
const maxItems = 64

const accountAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(Call[] calls)',
])

/**
 * The operations of a transaction to the EntryPoint whose accounts may be ours, with the native
 * currency that they transfer, which is only in the calldata and not in logs. Each has one hash per
 * delegate in {@link delegates}. The hash includes the account's delegate, so if an event contains
 * the hash ({@link readSucceeded}), the operation executed exactly its calls, even if other
 * contracts interpret the same calldata differently. Empty if the transaction is not a bundle.
 */
export function decodeOperations(json: unknown, chainId: number): CarriedOperation[] {
  return decodeBundle(json).flatMap((operation) => {
    const transfers = decodeCalls(operation.callData).flatMap(({ target, value }) =>
      value === 0n ? [] : [toTransfer(operation.sender, target, value)],
    )
    if (transfers.length === 0 || !delegationMarker.test(operation.initCode)) return []
    const toHash = (delegate: Hex) => hashOperation(operation, { chainId, delegate })
    return [{ hashes: delegates.map(toHash), transfers }]
  })
}

/**
 * The accounts in a transaction to the EntryPoint for whose operations a paymaster paid, and which
 * paid it nothing in the transaction's `transfers`.
 */
export const findSponsored = (json: unknown, transfers: readonly ActivityTransfer[]): Hex[] =>
  decodeBundle(json).flatMap(({ sender, paymasterAndData }) => {
    const account = sender.toLowerCase() as Hex
    const paymaster = paymasterAndData.slice(0, 42).toLowerCase()
    const isPaid = transfers.some(({ from, to }) => from === account && to === paymaster)
    return paymaster.length < 42 || isPaid ? [] : [account]
  })

/** The operations of a transaction to the EntryPoint; empty if it is not a bundle. */
function decodeBundle(json: unknown): readonly Packed[] {
  const { to, input } = parseFields(json)
  if (typeof to !== 'string' || typeof input !== 'string') return []
  if (to.toLowerCase() !== entryPoint || !input.startsWith(handleOps)) return []
  try {
    if (countItems(input, 2) > maxItems) return []
    const { functionName, args } = decodeFunctionData({ abi: entryPoint08Abi, data: input as Hex })
    if (functionName !== 'handleOps' || measure(args[0]) > input.length) return []
    return args[0]
  } catch {
    // Anyone can send invalid calldata to the EntryPoint.
    return []
  }
}

/** The hashes of the operations that succeeded, from the logs of a receipt. */
export function readSucceeded(logs: unknown): ReadonlySet<Hex> {
  const found = parseList(logs).flatMap((json) => {
    const { address, topics } = parseFields(json)
    if (String(address).toLowerCase() !== entryPoint || parseList(topics)[0] !== operationTopic)
      return []
    const log = parseLog(json)
    const [, hash] = log.topics
    // The nonce comes first.
    const success = hexToBytes(log.data)[63] === 1
    return success && hash ? [hash] : []
  })
  return new Set(found)
}

type Packed = Extract<
  ReturnType<typeof decodeFunctionData<typeof entryPoint08Abi>>,
  { functionName: 'handleOps' }
>['args'][0][number]

/** The EIP-712 hash of EntryPoint 0.8, with a known delegate in place of the marker. */
const hashOperation = (
  operation: Packed,
  { chainId, delegate }: { readonly chainId: number; readonly delegate: Hex },
): Hex =>
  hashTypedData({
    domain: { ...userOperationDomain, chainId, verifyingContract: entryPoint08Address },
    types: userOperationTypes,
    primaryType: 'PackedUserOperation',
    message: {
      ...operation,
      initCode: concat([delegate, `0x${operation.initCode.slice(42)}`]),
    },
  })

/**
 * The number of items of the array in the first argument of a call whose arguments take `headWords`
 * words. Throws if the array is at another position.
 */
function countItems(data: string, headWords: number): bigint {
  const word = (index: number) => BigInt(`0x${data.slice(10 + index * 64, 74 + index * 64)}`)
  if (word(0) !== BigInt(headWords * 32)) throw new RangeError('The array is elsewhere')
  return word(headWords)
}

/**
 * The length of the parts of operations in hex. More than the calldata means that operations share
 * bytes, to be read many times.
 */
const measure = (operations: readonly Packed[]): number =>
  operations
    .flatMap(({ initCode, callData, paymasterAndData }) => [initCode, callData, paymasterAndData])
    .reduce((sum, { length }) => sum + length, 0)

function decodeCalls(data: Hex): readonly { target: string; value: bigint }[] {
  try {
    if (data.startsWith(executeBatch) && countItems(data, 1) > maxItems) return []
    const { functionName, args } = decodeFunctionData({ abi: accountAbi, data })
    return functionName === 'execute' ? [{ target: args[0], value: args[1] }] : args[0]
  } catch {
    return []
  }
}

const toTransfer = (from: string, to: string, amount: bigint): ActivityTransfer => ({
  standard: 'native',
  contract: undefined,
  tokenId: undefined,
  from: from.toLowerCase() as Hex,
  to: to.toLowerCase() as Hex,
  amount,
})
