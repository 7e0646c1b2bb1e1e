import type { simulateCallsRoute } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import { entryPoint08Address } from 'viem/account-abstraction'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import * as z from 'zod'
import type { output } from 'zod/v4/core'
import type { Hex } from '../evm/hex.ts'
import { simple7702Account } from '../evm/smartAccount.ts'

/** The calls to run, sent from `from`. */
export type Simulated = Omit<output<(typeof simulateCallsRoute)['body']>, 'chainId'>

/** Sends a request to one node; an error is raw JSON. Undefined if the node does not answer. */
export type AskNode = (
  method: string,
  params: unknown[],
) => Promise<{ readonly result: unknown } | { readonly error: string } | undefined>

/** The methods that simulate calls. */
export type Method = 'eth_simulateV1' | 'debug_traceCall' | 'eth_call'

/**
 * The code that an account will have when its calls run, as state overrides for nodes. `isTaken`:
 * whether a node applies it in a method. A node that ignores unknown parameters would run an
 * account without code, and any call to such an account does nothing.
 */
export type Delegated = {
  readonly overrides: Readonly<Record<string, { readonly code: Hex }>> | undefined
  isTaken(method: Method): Promise<boolean>
}

const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/**
 * The only contracts that our wallets delegate to, each with a call whose result identifies it: an
 * account without code returns no manager, and neither does an account that delegates to the first
 * contract. Clients cannot name any other contract.
 */
const delegates = {
  ours: {
    address: simple7702Account,
    question: encodeFunctionData({ abi: parseAbi(['function entryPoint()']) }),
    answer: word(entryPoint08Address.toLowerCase()),
  },
  permissions: {
    address: permissionContracts.account,
    question: encodeFunctionData({ abi: parseAbi(['function manager()']) }),
    answer: word(permissionContracts.manager),
  },
}

const reads: Readonly<Record<Method, (result: unknown) => unknown>> = {
  eth_simulateV1: (result) => simulated.parse(result)[0]?.calls[0]?.returnData,
  debug_traceCall: (result) => traced.parse(result).output,
  eth_call: (result) => result,
}
const simulated = z.array(z.object({ calls: z.array(z.object({ returnData: z.string() })) }))
const traced = z.object({ output: z.string() })

/**
 * Returns how to simulate the account's calls with the code of `delegation`; without it, with the
 * account's current code.
 */
export function delegate(
  ask: AskNode,
  { from, delegation }: Pick<Simulated, 'from' | 'delegation'>,
): Delegated {
  if (delegation === undefined) return { overrides: undefined, isTaken: async () => true }
  const { address, question, answer } = delegates[delegation]
  const overrides = { [from]: { code: `0xef0100${address.slice(2)}` as const } }
  const asked = new Map<Method, Promise<boolean>>()
  const look = async (method: Method) => {
    const call = { from, to: from, data: question }
    const reply = await ask(
      method,
      {
        eth_simulateV1: [
          { blockStateCalls: [{ stateOverrides: overrides, calls: [call] }] },
          'latest',
        ],
        debug_traceCall: [call, 'latest', { tracer: 'callTracer', stateOverrides: overrides }],
        eth_call: [call, 'latest', overrides],
      }[method],
    )
    if (reply === undefined || 'error' in reply) return false
    try {
      return reads[method](reply.result) === answer
    } catch {
      return false
    }
  }
  return {
    overrides,
    isTaken(method) {
      const known = asked.get(method) ?? look(method)
      asked.set(method, known)
      return known
    },
  }
}
