import { LatchkeyError } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroHash,
} from 'viem'
import { covers, type SessionCall } from './matchCall.ts'
import type { SmartSession } from './session.ts'

const accountAbi = parseAbi(['function execute(address target, uint256 value, bytes data)'])
const managerAbi = parseAbi([
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
])
const manager = permissionContracts.manager as Address
const maxCalls = 20

/** A call, and the part of the session that allows it. */
export type Redeemed = { readonly call: SessionCall; readonly part: number }

/**
 * The calls, each with the first part that covers it. Throws SIGNING_REFUSED if a call is not
 * covered.
 */
export const assignParts = (session: SmartSession, calls: readonly SessionCall[]): Redeemed[] =>
  calls.map((call, index) => {
    const part = session.parts.findIndex(({ allowed }) => covers(allowed, call))
    if (part < 0) throw refuse(`call ${index + 1} is not permitted`)
    return { call, part }
  })

/**
 * The calldata for the session's own account: a call of the manager, which has the user's account
 * make the calls.
 */
export function encodeRedemption(session: SmartSession, redeemed: readonly Redeemed[]): Hex {
  const data = encodeFunctionData({
    abi: managerAbi,
    functionName: 'redeemDelegations',
    args: [
      redeemed.map(({ part }) => session.parts[part]?.context ?? '0x'),
      redeemed.map(() => zeroHash),
      redeemed.map(({ call }) =>
        concat([call.to, numberToHex(call.value, { size: 32 }), call.data]),
      ),
    ],
  })
  return encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [manager, 0n, data] })
}

/**
 * Decodes the calls in an operation's calldata. Throws SIGNING_REFUSED for anything but a
 * redemption of this session's own parts, in which each part covers its call.
 */
export function decodeRedemption(session: SmartSession, callData: Hex): Redeemed[] {
  const redeemed = read(session, callData)
  // Encodes the calls again to prove that the calldata contains nothing else.
  if (redeemed === undefined || encodeRedemption(session, redeemed) !== callData.toLowerCase())
    throw refuse('it is not an operation of this session')
  for (const [index, { call, part }] of redeemed.entries()) {
    const allowed = session.parts[part]?.allowed
    if (!allowed || !covers(allowed, call)) throw refuse(`call ${index + 1} is not permitted`)
  }
  return redeemed
}

function read(session: SmartSession, callData: Hex): Redeemed[] | undefined {
  try {
    const outer = decodeFunctionData({ abi: accountAbi, data: callData })
    const [contexts, , executions] = decodeFunctionData({
      abi: managerAbi,
      data: outer.args[2],
    }).args
    if (executions.length === 0 || executions.length > maxCalls) return undefined
    return executions.map((text, index) => {
      const execution = text.toLowerCase()
      return {
        part: session.parts.findIndex(({ context }) => context === contexts[index]),
        call: {
          to: execution.slice(0, 42) as Address,
          value: BigInt(`0x${execution.slice(42, 106)}`),
          data: `0x${execution.slice(106)}`,
        },
      }
    })
  } catch {
    return undefined
  }
}

export const refuse = (reason: string) => new LatchkeyError('SIGNING_REFUSED', { data: { reason } })
