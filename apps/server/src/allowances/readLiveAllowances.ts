import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { FollowedAccount, GrantedApproval } from '../activity/activity.ts'
import { permit2Address } from '../evm/approvals.ts'
import { decodeAddress, decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { readIsolated, type TokenRead } from '../evm/readIsolated.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'

/** The dependencies of reading allowances from their contracts. */
export type LiveAllowancesDeps = Pick<Services, 'config' | 'clock'> & {
  readonly upstreams: Upstreams
}

/** An approval that holds now: `amount` in base units (1 for NFTs), `expiresAtMs` if it expires. */
export type LiveAllowance = GrantedApproval & {
  readonly amount: bigint
  readonly expiresAtMs: number | undefined
}

/**
 * The approvals in `granted` that the chain confirms at its newest block. Omits approvals that a
 * contract does not confirm. Throws RPC_UNAVAILABLE.
 */
export async function readLiveAllowances(
  { config, clock, upstreams }: LiveAllowancesDeps,
  { chainId, address }: FollowedAccount,
  granted: readonly GrantedApproval[],
): Promise<LiveAllowance[]> {
  if (granted.length === 0) return []
  const multicall3 = config.chains[chainId]?.multicall3 as Hex | undefined
  const reads = granted.map((one) => toReads(one, address))
  const results = await readIsolated({ upstreams, chainId, multicall3 }, reads.flat())
  let at = 0
  return granted.flatMap((one, index) => {
    const count = reads[index]?.length ?? 0
    const own = results.slice(at, at + count)
    at += count
    return parseResults(one, { owner: address, results: own, nowMs: clock() }) ?? []
  })
}

const abi = parseAbi([
  'function allowance(address, address) view returns (uint256)',
  'function getApproved(uint256) view returns (address)',
  'function ownerOf(uint256) view returns (address)',
  'function isApprovedForAll(address, address) view returns (bool)',
])
const permit2Abi = parseAbi([
  'function allowance(address, address, address) view returns (uint160, uint48, uint48)',
])

function toReads({ kind, contract, spender, tokenId = 0n }: GrantedApproval, owner: Hex) {
  const read = (data: Hex, to = contract): TokenRead => ({ to, data })
  if (kind === 'erc20')
    return [read(encodeFunctionData({ abi, functionName: 'allowance', args: [owner, spender] }))]
  if (kind === 'operator')
    return [
      read(encodeFunctionData({ abi, functionName: 'isApprovedForAll', args: [owner, spender] })),
    ]
  if (kind === 'permit2')
    return [
      read(
        encodeFunctionData({
          abi: permit2Abi,
          functionName: 'allowance',
          args: [owner, contract, spender],
        }),
        permit2Address,
      ),
    ]
  return (['getApproved', 'ownerOf'] as const).map((functionName) =>
    read(encodeFunctionData({ abi, functionName, args: [tokenId] })),
  )
}

function parseResults(
  approval: GrantedApproval,
  {
    owner,
    results: [first, second],
    nowMs,
  }: {
    readonly owner: Hex
    readonly results: readonly (Hex | undefined)[]
    readonly nowMs: number
  },
): LiveAllowance | undefined {
  const live = (amount: bigint, expiresAtMs?: number) => ({ ...approval, amount, expiresAtMs })
  if (approval.kind === 'erc721') {
    const holds = decodeAddress(first) === approval.spender && decodeAddress(second) === owner
    return holds ? live(1n) : undefined
  }
  if (approval.kind === 'operator') return decodeUint(first) === 1n ? live(1n) : undefined
  if (approval.kind === 'erc20') {
    const amount = decodeUint(first) ?? 0n
    return amount > 0n ? live(amount) : undefined
  }
  const [amount = 0n, expiration = 0n] = words(first)
  const expiresAtMs = Number(expiration) * 1000
  return amount > 0n && expiresAtMs >= nowMs ? live(amount, expiresAtMs) : undefined
}

/** Permit2's three words. */
const words = (data: Hex | undefined): bigint[] =>
  data?.length === 2 + 3 * 64
    ? [0, 1].map((index) => BigInt(`0x${data.slice(2 + 64 * index, 66 + 64 * index)}`))
    : []
