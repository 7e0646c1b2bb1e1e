import type { OperationType } from '@latchkey/wire'
import type { SolanaFacts } from './parseTransaction.ts'
import type { SolanaMove } from './readMoves.ts'

/** A token with a supply of one. */
export const isNft = ({ mint, decimals, amount }: SolanaMove): boolean =>
  mint !== undefined && decimals === 0 && amount === '1'

/**
 * The type of a transaction that moved nothing, by instruction. The first match in this order
 * counts.
 */
const byInstruction: readonly (readonly [OperationType, RegExp])[] = [
  ['deploy', /^deployWithMaxDataLen$/],
  ['stake', /^delegate$/],
  ['unstake', /^deactivate$/],
  ['approve', /^(?:approve(?:Checked)?|revoke)$/],
  ['burn', /^burn(?:Checked)?$/],
  ['send', /^transfer(?:Checked|CheckedWithFee|WithSeed)?$/],
]

/**
 * The operation type of a transaction for an account: by its transfers and, if they are ambiguous,
 * by its instructions. Unknown types are `execute`.
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
  // Other programs transfer for other reasons.
  return operation === 'send' && target !== undefined ? 'execute' : operation
}

function classifyExchange(ins: readonly SolanaMove[], outs: readonly SolanaMove[]): OperationType {
  if (ins.some(isNft) && !outs.some(isNft)) return 'bought'
  if (outs.some(isNft) && !ins.some(isNft)) return 'sell'
  return 'trade'
}
