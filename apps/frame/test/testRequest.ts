import { LatchkeyError, type SimulatedOutcome } from '@latchkey/wire'
import { encodeAbiParameters, type Hex } from 'viem'
import type { ApprovalRequest, PreparedApproval } from '../src/requests/approvalRequest.ts'
import { createCallsAccess } from '../src/requests/calls/callsAccess.ts'
import { loadPreparation } from '../src/requests/loadPreparation.ts'
import { createMemoryStore } from '../src/wallet/keyStore.ts'

/** The account that tests ask in the name of. */
export const account: Hex = '0x1111111111111111111111111111111111111111'

export const evmChain = {
  id: 'eip155:1',
  namespace: 'eip155',
  reference: '1',
  name: 'One',
  symbol: 'ETH',
  decimals: 18,
} as const

/** A node's simulation result: no changes, unless `more` overrides it. */
export const simulated = (
  more: Partial<Extract<SimulatedOutcome, { status: 'done' }>> = {},
): SimulatedOutcome => ({ status: 'done', isComplete: true, changes: [], allowances: [], ...more })

/** A request of a page on that chain, about to be prepared. */
export const createTestRequest = (
  given: Pick<ApprovalRequest, 'method' | 'params' | 'read' | 'keys'> & Partial<ApprovalRequest>,
): ApprovalRequest => ({
  origin: 'https://app.example',
  claimedName: undefined,
  chain: evmChain,
  accounts: { eip155: account, solana: '' },
  known: [],
  fetchTokenClaims: async () => ({ names: new Map(), prices: new Map() }),
  fetchSimulation: async () => ({ asked: 1, outcomes: [simulated()] }),
  fetchDescription: async () => undefined,
  calls: createCallsAccess(createMemoryStore(), { origin: 'https://app.example', account }),
  post: async () => {
    throw new LatchkeyError('OFFLINE')
  },
  projectId: 'local',
  signal: new AbortController().signal,
  now: Date.now,
  ...given,
})

/** Prepares a request of any method like the frame does. */
export const prepareRequest = async (request: ApprovalRequest): Promise<PreparedApproval> =>
  (await loadPreparation(request))(request)

/**
 * The responses of a chain's contracts, and the account's balances; `undefined` is a call that
 * fails.
 */
export type ChainAnswers = {
  symbol?: string | undefined
  decimals?: bigint | undefined
  balance?: bigint | undefined
  supply?: bigint | undefined
}

/**
 * A chain on which every contract is a token that says this of itself; all else is answered with 1.
 */
export const answerReads =
  (said: ChainAnswers): ApprovalRequest['read'] =>
  async (_, method, params) => {
    if (method !== 'eth_call') return '0x1'
    const { data } = (params as [{ data: Hex }])[0]
    const number = (value: bigint | undefined) => {
      if (value === undefined)
        throw new LatchkeyError('RPC_FAILED', { data: { reason: 'execution reverted' } })
      return encodeAbiParameters([{ type: 'uint256' }], [value])
    }
    if (data === '0x313ce567') return number(said.decimals)
    if (data === '0x18160ddd') return number(said.supply)
    if (data.startsWith('0x70a08231')) return number(said.balance)
    if (data === '0x95d89b41' && said.symbol !== undefined)
      return encodeAbiParameters([{ type: 'string' }], [said.symbol])
    throw new LatchkeyError('RPC_FAILED', { data: { reason: 'execution reverted' } })
  }

/** A dollar token of which the account has 100 of a million. */
export const dollars: ChainAnswers = {
  symbol: 'USD',
  decimals: 6n,
  balance: 100_000_000n,
  supply: 10n ** 12n,
}
