import { LatchkeyError } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import * as z from 'zod'
import { hexQuantity } from '../evm/schemas.ts'
import type { Node } from '../nodes/upstreams.ts'
import type { SmartSession, SmartSessionsDeps } from './session.ts'

const accountAbi = parseAbi(['function isGranted(bytes32 hash) view returns (bool)'])
const enforcerAbi = parseAbi([
  'function getAvailableAmount(bytes32 delegationHash, address manager, bytes terms) view returns (uint256, bool, uint256)',
])
/** The time limit for all nodes together. */
const nodeMs = 5_000
const blockNumber = hexQuantity.refine((block) => block < 1n << 63n)
const word = z.string().regex(/^0x[0-9a-f]{64}$/i)
const words = z.string().regex(/^0x[0-9a-f]{192}$/i)

/**
 * The state of a session on the chain at a block: whether the account still grants all of its
 * parts, or any.
 */
type Granted = { readonly isAll: boolean; readonly isAny: boolean; readonly block: bigint }

/**
 * Reads from one node whether the account still grants the parts of a session. Throws
 * RPC_UNAVAILABLE.
 */
export async function readGranted(
  { askChain }: Pick<SmartSessionsDeps, 'askChain'>,
  session: Pick<SmartSession, 'account' | 'parts'>,
): Promise<Granted> {
  const { chainId } = session.account
  const [head, ...replies] = await askChain(chainId)([
    { method: 'eth_blockNumber', params: [] },
    ...toCalls(session, 'latest'),
  ])
  const block = blockNumber.safeParse(head?.result)
  const granted = readReplies(session, replies)
  if (!block.success || !granted)
    throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId } })
  return { ...granted, block: block.data }
}

/**
 * Whether the account no longer grants any part of a session, for good. More than half of the
 * configured nodes must report that, even if others do not answer, at the block that had the grant
 * or a later one. A single node may lag or lie.
 */
export async function isRevokedOnChain(
  { nodes, countNodes }: Pick<SmartSessionsDeps, 'nodes' | 'countNodes'>,
  session: SmartSession,
): Promise<boolean> {
  const { chainId } = session.account
  const found = await nodes(chainId)
  const signal = AbortSignal.timeout(nodeMs)
  const answers = await Promise.all(
    found.map((node) => readFrom(node, session, signal).catch(() => undefined)),
  )
  const against = answers.filter((answer) => answer?.isAny === false)
  return against.length > countNodes(chainId) / 2
}

/**
 * One node's state of the session; undefined if it does not answer, or does not have the block of
 * the grant yet.
 */
async function readFrom(
  node: Node,
  session: SmartSession,
  signal: AbortSignal,
): Promise<Omit<Granted, 'block'> | undefined> {
  const ask = async (calls: ReturnType<typeof toCalls>) => {
    const texts = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params) }))
    const answer = await node.request(texts, signal)
    return 'fault' in answer ? [] : answer.replies
  }
  const [head] = await ask([{ method: 'eth_blockNumber', params: [] }])
  const block = blockNumber.safeParse(head?.result)
  if (!block.success || block.data < BigInt(session.row.granted_block ?? 0)) return undefined
  // At that block, because another machine behind the same URL may lag.
  return readReplies(session, await ask(toCalls(session, numberToHex(block.data))))
}

const toCalls = ({ account, parts }: Pick<SmartSession, 'account' | 'parts'>, block: string) => [
  { method: 'eth_getCode', params: [account.address, block] as readonly unknown[] },
  ...parts.map(({ delegation }) => {
    const args = [delegation.hash as Hex] as const
    const data = encodeFunctionData({ abi: accountAbi, functionName: 'isGranted', args })
    return { method: 'eth_call', params: [{ to: account.address, data }, block] }
  }),
]

/** The replies to {@link toCalls}; undefined if a reply is missing. */
function readReplies(
  { parts }: Pick<SmartSession, 'parts'>,
  [code, ...answers]: readonly { readonly result?: unknown }[],
): Omit<Granted, 'block'> | undefined {
  if (typeof code?.result !== 'string') return undefined
  // With another delegate, no grant counts.
  if (code.result.toLowerCase() !== `0xef0100${permissionContracts.account.slice(2)}`)
    return { isAll: false, isAny: false }
  const granted = parts.map((_, index) => word.safeParse(answers[index]?.result))
  if (!granted.every(({ success }) => success)) return undefined
  const yes = granted.filter(({ data }) => BigInt(data ?? 0) === 1n)
  return { isAll: yes.length === parts.length, isAny: yes.length > 0 }
}

/**
 * How much of each allowance its current period has used, according to the chain. Leaves out
 * allowances for which no node answers.
 */
export async function readUses(
  { askChain }: Pick<SmartSessionsDeps, 'askChain'>,
  { account, parts }: SmartSession,
): Promise<{ readonly index: number; readonly used: string }[]> {
  const asked = parts.flatMap(({ allowed, delegation }, index) =>
    allowed.kind === 'call' ? [] : [{ index, allowed, delegation }],
  )
  if (asked.length === 0) return []
  const replies = await askChain(account.chainId)(
    asked.map(({ delegation }) => {
      const { enforcer, terms } = delegation.caveats[2] ?? {}
      const data = encodeFunctionData({
        abi: enforcerAbi,
        functionName: 'getAvailableAmount',
        args: [delegation.structHash as Hex, permissionContracts.manager as Address, terms as Hex],
      })
      return { method: 'eth_call', params: [{ to: enforcer, data }, 'latest'] }
    }),
  )
  return replies.flatMap(({ result }, at) => {
    const answer = words.safeParse(result)
    const one = asked[at]
    if (!answer.success || !one) return []
    const left = BigInt(answer.data.slice(0, 66))
    const used = left > one.allowed.amount ? 0n : one.allowed.amount - left
    return [{ index: one.index, used: String(used) }]
  })
}
