import type { OperationType } from '@latchkey/wire'
import type { SolanaFacts } from './parseTransaction.ts'
import type { SolanaMove } from './readMoves.ts'

/** A token of which there is one alone. */
export const isNft = ({ mint, decimals, amount }: SolanaMove): boolean =>
  mint !== undefined && decimals === 0 && amount === '1'

/** By instruction, what a transaction was that moved nothing. The first in this order counts. */
const byInstruction: readonly (readonly [OperationType, RegExp])[] = [
  ['deploy', /^deployWithMaxDataLen$/],
  ['stake', /^delegate$/],
  ['unstake', /^deactivate$/],
  ['approve', /^(?:approve(?:Checked)?|revoke)$/],
  ['burn', /^burn(?:Checked)?$/],
  ['send', /^transfer(?:Checked|CheckedWithFee|WithSeed)?$/],
]

/**
 * What a transaction was for an account: by what moved, and where that leaves it open by its
 * instructions. What it cannot tell is `execute`.
 */
export function getSolanaOperation({
  own,
  target,
  instructions,
  moves,
}: SolanaFacts): OperationType {
  const has = (pattern: RegExp) => instructions.some((name) => pattern.test(name))
  const ins = moves.filter(({ direction }) => direction === 'in')
  const outs = moves.filter(({ direction }) => direction === 'out')
  if (ins.length > 0 && outs.length > 0) return classifyExchange(ins, outs)
  if (ins.length > 0) {
    if (own && has(/^withdraw$/)) return 'withdraw'
    return has(/^mintTo/) && ins.every(({ other }) => other === undefined) ? 'mint' : 'receive'
  }
  if (outs.length > 0) {
    if (own && has(/^delegate$/)) return 'stake'
    return has(/^burn/) && outs.every(({ other }) => other === undefined) ? 'burn' : 'send'
  }
  if (!own) return 'execute'
  const [operation = 'execute'] = byInstruction.find(([, pattern]) => has(pattern)) ?? []
  // Other programs transfer for reasons of their own.
  return operation === 'send' && target !== undefined ? 'execute' : operation
}

function classifyExchange(ins: readonly SolanaMove[], outs: readonly SolanaMove[]): OperationType {
  if (ins.some(isNft) && !outs.some(isNft)) return 'bought'
  if (outs.some(isNft) && !ins.some(isNft)) return 'sell'
  return 'trade'
}
