import { LatchkeyError } from '@latchkey/wire'
import { decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import type { ChainReply } from './askChain.ts'

/** Codes of ERC-7769, of EIP-1474 (`busy`) and of JSON-RPC. */
export const bundlerCodes = {
  invalidParams: -32602,
  internal: -32603,
  entryPoint: -32500,
  paymaster: -32501,
  opcode: -32502,
  timeRange: -32503,
  throttled: -32504,
  busy: -32005,
  signature: -32507,
  deposit: -32508,
  execution: -32521,
} as const

/** The reason for refusing an operation, in the form of the client's response. */
export class BundlerError extends Error {
  readonly code: number
  constructor(code: keyof typeof bundlerCodes, message: string) {
    super(message)
    this.code = bundlerCodes[code]
  }
}

/**
 * The failure of `handleOps`: the EntryPoint's reason, and the index of the operation if the
 * EntryPoint names it.
 */
export type FailedOperation = { readonly index?: number; readonly reason: string }

/** Characters of a reason that are passed on. */
const maxReason = 600

const executionError = /revert|out ?of ?gas|opcode|invalid jump|stack|\bevm\b|execution/i

/**
 * Reads the failure of a simulated `handleOps`; undefined if it went through. Throws
 * RPC_UNAVAILABLE if the node failed.
 */
export function readFailure(reply: ChainReply | undefined): FailedOperation | undefined {
  if (reply?.error === undefined) return undefined
  const data = findData(reply.error.data)
  const reason = reply.error.message.slice(0, 300)
  // A failure of the node does not mean that the operation fails.
  if (data === undefined && !executionError.test(reason))
    throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: '' } })
  if (data === undefined) return { reason }
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPoint08Abi, data })
    if (errorName === 'FailedOp') return { index: Number(args[0]), reason: args[1] }
    if (errorName === 'FailedOpWithRevert')
      return { index: Number(args[0]), reason: `${args[1]}: ${describeData(args[2])}` }
    return { reason: errorName }
  } catch {
    return { reason }
  }
}

const reverts = parseAbi([
  'error Error(string message)',
  'error Panic(uint256 code)',
  'error ExecuteError(uint256 index, bytes data)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])

/** An error in a node's response. */
type NodeError = { readonly message: string; readonly data?: unknown }

/**
 * The reason why calls would fail: the message in the data if it has one, with the number of the
 * call in a batch; otherwise the node's message. `known`: the reason for a call without a reason.
 */
export function describeRevert({ message, data }: NodeError, known?: string): string {
  const revert = decodeRevert(findData(data))
  if (revert?.errorName !== 'ExecuteError') {
    const reason = readReason(revert) ?? (isSilent({ message, data }) ? known : undefined)
    return reason === undefined ? message : `It would fail: ${reason}`
  }
  const [index, inner] = revert.args
  const reason =
    readReason(decodeRevert(inner)) ??
    (inner === '0x' ? (known ?? 'it gives no reason') : `it reverts with ${inner.slice(0, 10)}`)
  return `Call ${index + 1n} would fail: ${reason}`
}

/** Whether calls fail without a reason, like a contract that runs out of gas. */
export function isSilent({ message, data }: NodeError): boolean {
  const found = findData(data) ?? '0x'
  const revert = decodeRevert(found)
  if (revert?.errorName === 'ExecuteError') return revert.args[1] === '0x'
  return found === '0x' && executionError.test(message)
}

function decodeRevert(data: Hex | undefined) {
  try {
    return decodeErrorResult({ abi: reverts, data: data ?? '0x' })
  } catch {
    return undefined
  }
}

/** A contract's revert reason: a string if it is printable, otherwise its bytes. */
function describeData(data: Hex): string {
  if (data === '0x') return 'it gives no reason'
  return readReason(decodeRevert(data)) ?? data.slice(0, maxReason)
}

function readReason(revert: ReturnType<typeof decodeRevert>): string | undefined {
  if (revert?.errorName === 'Error') return revert.args[0]
  if (revert?.errorName === 'Panic') return `panic ${revert.args[0]}`
  if (revert?.errorName === 'ERC20InsufficientBalance')
    return 'the account has too little of the token'
  return undefined
}

/** Finds the revert data: most nodes put it in `data`, some in an object within `data`. */
function findData(data: unknown): Hex | undefined {
  if (isHex(data)) return data
  return typeof data === 'object' && data !== null && 'data' in data
    ? findData(data.data)
    : undefined
}

/** The reason for the client: printable, and not too long. */
export const cleanReason = (reason: string): string =>
  reason.replace(/[^\x20-\x7e]/g, '').slice(0, maxReason)

/** The error for the EntryPoint's reason, for example `AA24 signature error`. */
export function toBundlerError({ reason }: FailedOperation): BundlerError {
  const text = cleanReason(reason)
  if (/^AA24/.test(text)) return new BundlerError('signature', text)
  if (/^AA34/.test(text)) return new BundlerError('signature', text)
  if (/^AA(22|32)/.test(text)) return new BundlerError('timeRange', text)
  if (/^AA31/.test(text)) return new BundlerError('deposit', text)
  if (/^AA3/.test(text)) return new BundlerError('paymaster', text)
  return new BundlerError('entryPoint', text)
}
