import * as z from 'zod'
import { wrappedSol } from '../../solana/address.ts'

/** What a transaction moved for an account. `mint` is absent for SOL, `other` where no single account was on the other side. */
export type SolanaMove = {
  readonly direction: 'in' | 'out'
  readonly mint?: string | undefined
  readonly program?: string | undefined
  readonly decimals: number
  /** In base units, a positive number in decimal digits. */
  readonly amount: string
  readonly other?: string | undefined
}

/** A transaction from the point of view of one account. */
export type SolanaFacts = {
  readonly feePayer: string
  /** The account signed it. */
  readonly own: boolean
  /** The program that was called; absent where only SOL or tokens were transferred. */
  readonly target?: string | undefined
  /** The names of its known instructions, as nodes write them: `approve`, `burnChecked`, … */
  readonly instructions: readonly string[]
  readonly moves: readonly SolanaMove[]
}

const tokenBalance = z.object({
  accountIndex: z.int().min(0),
  mint: z.string().max(44),
  owner: z.string().max(44).optional(),
  programId: z.string().max(44).optional(),
  uiTokenAmount: z.object({
    amount: z.string().regex(/^\d{1,20}$/),
    decimals: z.int().min(0).max(255),
  }),
})
// A transaction of the network has less of everything.
const maxParts = 512
const tokenBalances = z.array(tokenBalance).max(maxParts).nullish()
const instruction = z.object({
  programId: z.string().max(44).optional(),
  parsed: z
    .object({ type: z.string().max(64) })
    .optional()
    .catch(undefined),
})
const instructions = z.array(instruction).max(maxParts)
// A balance of more than 2^53 lamports has lost its last digits when it is parsed.
const lamports = z.array(
  z
    .number()
    .min(0)
    .transform((value) => BigInt(Math.round(value))),
)
const transaction = z.object({
  meta: z.object({
    err: z.unknown(),
    fee: z.int().min(0),
    preBalances: lamports,
    postBalances: lamports,
    preTokenBalances: tokenBalances,
    postTokenBalances: tokenBalances,
    innerInstructions: z.array(z.object({ instructions })).max(maxParts).nullish(),
  }),
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    message: z.object({
      accountKeys: z
        .array(z.object({ pubkey: z.string().max(44), signer: z.boolean() }))
        .min(1)
        .max(maxParts),
      instructions,
    }),
  }),
})
type Transaction = z.infer<typeof transaction>

/** Programs that do not decide the purpose of a transaction, and those whose transfers show it themselves. */
const sidePrograms: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
])
const solDecimals = 9
const maxInstructions = 40

/**
 * Reads the result of `getTransaction` (jsonParsed) from the point of view of `owner`. Undefined if it is malformed, has
 * another signature, or does not concern the owner.
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
    own: keys.some(({ pubkey, signer }) => signer && pubkey === owner),
    target: target?.programId,
    instructions: [...new Set(called.flatMap(({ parsed }) => parsed?.type ?? []))].slice(
      0,
      maxInstructions,
    ),
    moves: failed ? [] : [...moveSol(data, { owner, holdings }), ...moveTokens(holdings, owner)],
  }
}

const inner = ({ meta }: Transaction) =>
  (meta.innerInstructions ?? []).flatMap((one) => one.instructions)

/** A token account before and after the transaction. */
type TokenHolding = {
  readonly index: number
  readonly mint: string
  readonly owner: string | undefined
  readonly program: string | undefined
  readonly decimals: number
  readonly change: bigint
}

function readHoldings({ meta }: Transaction): TokenHolding[] {
  const before = new Map((meta.preTokenBalances ?? []).map((one) => [one.accountIndex, one]))
  const after = new Map((meta.postTokenBalances ?? []).map((one) => [one.accountIndex, one]))
  return [...new Map([...before, ...after])].map(([index, { mint, owner, programId, ...one }]) => ({
    index,
    mint,
    owner: owner ?? before.get(index)?.owner,
    program: programId,
    decimals: one.uiTokenAmount.decimals,
    change: parseAmount(after.get(index)) - parseAmount(before.get(index)),
  }))
}

const parseAmount = (balance: z.infer<typeof tokenBalance> | undefined) =>
  BigInt(balance?.uiTokenAmount.amount ?? 0)

type Context = { readonly owner: string; readonly holdings: readonly TokenHolding[] }

/**
 * SOL that came or went, the fee apart. Wrapped SOL counts as SOL, and rent that the owner paid for a token account of its
 * own, or got back, has not left it.
 */
function moveSol(data: Transaction, { owner, holdings }: Context): SolanaMove[] {
  const { meta } = data
  const keys = data.transaction.message.accountKeys
  const changes = keys.map(
    (_, index) =>
      (meta.postBalances[index] ?? 0n) -
      (meta.preBalances[index] ?? 0n) +
      (index === 0 ? BigInt(meta.fee) : 0n),
  )
  const own = holdings.filter((one) => one.owner === owner)
  const sum = (list: readonly TokenHolding[]) =>
    list.reduce((total, { index }) => total + (changes[index] ?? 0n), 0n)
  const wrapped = sum(own.filter(({ mint }) => mint === wrappedSol))
  const rent = sum(own.filter(({ mint }) => mint !== wrappedSol))
  const at = keys.findIndex(({ pubkey }) => pubkey === owner)
  const change = settleRent((changes[at] ?? 0n) + wrapped, rent)
  const ownIndexes = new Set([at, ...own.map(({ index }) => index)])
  const ownerAt = new Map(holdings.map((one) => [one.index, one.owner]))
  const others = changes.flatMap((other, index) =>
    ownIndexes.has(index)
      ? []
      : [{ address: ownerAt.get(index) ?? keys[index]?.pubkey, change: other }],
  )
  return toMove(change, others, { decimals: solDecimals })
}

/** Leaves out rent that was paid for the account's own token accounts, and rent that was paid back. */
function settleRent(change: bigint, rent: bigint): bigint {
  if (change < 0n && rent > 0n) return change + (rent < -change ? rent : -change)
  if (change > 0n && rent < 0n) return change + (-rent < change ? rent : -change)
  return change
}

function moveTokens(holdings: readonly TokenHolding[], owner: string): SolanaMove[] {
  const mints = new Set(holdings.filter((one) => one.owner === owner).map(({ mint }) => mint))
  mints.delete(wrappedSol)
  return [...mints].flatMap((mint) => {
    const all = holdings.filter((one) => one.mint === mint)
    const own = all.filter((one) => one.owner === owner)
    const change = own.reduce((total, one) => total + one.change, 0n)
    const others = all
      .filter((one) => one.owner !== owner)
      .map((one) => ({ address: one.owner, change: one.change }))
    const { decimals = 0, program } = own[0] ?? {}
    return toMove(change, others, { mint, program, decimals })
  })
}

type Side = { readonly address: string | undefined; readonly change: bigint }

/** The other side of a change is the account with the opposite change; of several, the one with the largest. */
function toMove(
  change: bigint,
  others: readonly Side[],
  asset: Pick<SolanaMove, 'mint' | 'program' | 'decimals'>,
): SolanaMove[] {
  if (change === 0n) return []
  const [most] = others
    .map((side) => ({ ...side, change: change > 0n ? -side.change : side.change }))
    .filter((side) => side.change > 0n)
    .sort((a, b) => (a.change < b.change ? 1 : -1))
  const amount = String(change < 0n ? -change : change)
  return [{ direction: change > 0n ? 'in' : 'out', ...asset, amount, other: most?.address }]
}
