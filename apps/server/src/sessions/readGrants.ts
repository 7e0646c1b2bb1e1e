import { LatchkeyError } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import * as z from 'zod'
import type { Session, Sessions } from './session.ts'

const accountAbi = parseAbi(['function isGranted(bytes32 hash) view returns (bool)'])
const enforcerAbi = parseAbi([
  'function getAvailableAmount(bytes32 delegationHash, address manager, bytes terms) view returns (uint256, bool, uint256)',
])
const word = z.string().regex(/^0x[0-9a-f]{64}$/i)
const words = z.string().regex(/^0x[0-9a-f]{192}$/i)

/** Whether the account stands by its parts on the chain: by all, or by any of them. Throws RPC_UNAVAILABLE. */
export async function isGranted(
  { askChain }: Pick<Sessions, 'askChain'>,
  { account, parts }: Session,
  which: 'all' | 'any',
): Promise<boolean> {
  const replies = await askChain(account.chainId)([
    { method: 'eth_getCode', params: [account.address, 'latest'] },
    ...parts.map(({ delegation }) => {
      const args = [delegation.hash as Hex] as const
      const data = encodeFunctionData({ abi: accountAbi, functionName: 'isGranted', args })
      return { method: 'eth_call', params: [{ to: account.address, data }, 'latest'] }
    }),
  ])
  const [code, ...answers] = replies
  if (typeof code?.result !== 'string') throw unavailable(account.chainId)
  // Under another delegate, nothing that was granted counts.
  if (code.result.toLowerCase() !== `0xef0100${permissionContracts.account.slice(2)}`) return false
  const granted = answers.map(({ result }) => {
    const answer = word.safeParse(result)
    if (!answer.success) throw unavailable(account.chainId)
    return BigInt(answer.data) === 1n
  })
  return which === 'all' ? granted.every(Boolean) : granted.some(Boolean)
}

const unavailable = (chain: string) => new LatchkeyError('RPC_UNAVAILABLE', { data: { chain } })

/** How much of each allowance its current period has used, as the chain counts. What no node says is left out. */
export async function readUses(
  { askChain }: Pick<Sessions, 'askChain'>,
  { account, parts }: Session,
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
