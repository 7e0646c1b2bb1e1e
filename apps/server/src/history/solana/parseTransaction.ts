import { moveSol, moveTokens, readFailedMoves, readHoldings, type SolanaMove } from './readMoves.ts'
import { type Transaction, transaction } from './transactionResult.ts'

/** A transaction from the point of view of one account. */
export type SolanaFacts = {
  readonly feePayer: string
  /** In lamports; absent in facts that were stored without it. */
  readonly fee?: number | undefined
  /** Whether the account signed it. */
  readonly own: boolean
  /** The called program; absent if only SOL or tokens were transferred. */
  readonly target?: string | undefined
  /** The names of its known instructions, as nodes write them: `approve`, `burnChecked`, … */
  readonly instructions: readonly string[]
  /** If it failed, what its transfers would have moved. */
  readonly moves: readonly SolanaMove[]
}

/**
 * Programs that do not decide the purpose of a transaction, and those whose transfers show it
 * themselves.
 */
const sidePrograms: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
])
const maxInstructions = 40

/**
 * Reads the result of `getTransaction` (jsonParsed) from the point of view of `owner`. Undefined if
 * it is malformed, has another signature, or does not concern the owner.
 */
export function parseTransaction(
  result: unknown,
  { owner, signature }: { readonly owner: string; readonly signature: string },
): SolanaFacts | undefined {
  const { data } = transaction.safeParse(result)
  if (data?.transaction.signatures[0] !== signature) return undefined
  const { meta, transaction: signed } = data
  const keys = signed.message.accountKeys
  const holdings = readHoldings(data)
  const isConcerned = keys.some(({ pubkey }) => pubkey === owner)
  if (!isConcerned && !holdings.some((one) => one.owner === owner)) return undefined
  if (meta.preBalances.length !== keys.length || meta.postBalances.length !== keys.length)
    return undefined
  const called = [...signed.message.instructions, ...inner(data)]
  const target = signed.message.instructions.find(
    ({ programId = '' }) => programId !== '' && !sidePrograms.has(programId),
  )
  const failed = meta.err !== null && meta.err !== undefined
  return {
    feePayer: keys[0]?.pubkey ?? '',
    fee: meta.fee,
    own: keys.some(({ pubkey, signer }) => signer && pubkey === owner),
    target: target?.programId,
    instructions: [...new Set(called.flatMap(({ parsed }) => parsed?.type ?? []))].slice(
      0,
      maxInstructions,
    ),
    moves: failed
      ? readFailedMoves(data, { owner, holdings })
      : [...moveSol(data, { owner, holdings }), ...moveTokens(holdings, owner)],
  }
}

const inner = ({ meta }: Transaction) =>
  (meta.innerInstructions ?? []).flatMap((one) => one.instructions)
