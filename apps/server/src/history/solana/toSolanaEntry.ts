import {
  type ChainId,
  formatUnits,
  type HistoryTransaction,
  type HistoryTransfer,
} from '@latchkey/wire'
import type { ChainConfig } from '../../config/chainsFile.ts'
import type { ListedTokens } from '../../tokens/listedTokens.ts'
import { hideBait, isSpamNft, isSpamToken } from '../../tokens/spam.ts'
import type { TokenFacts } from '../../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../../tokens/tokenIcons.ts'
import { getSolanaOperation, isNft } from './getSolanaOperation.ts'
import type { SolanaFacts } from './parseTransaction.ts'
import type { SolanaMove } from './readMoves.ts'

/** A transaction of an account whose facts are known. */
export type SolanaRow = {
  readonly slot: bigint
  readonly signature: string
  readonly minedAtMs: number
  readonly failed: boolean
  readonly facts: SolanaFacts
}

/** The input of an entry. */
export type EntryContext = {
  readonly chainId: ChainId
  readonly owner: string
  readonly chain: Pick<ChainConfig, 'nativeCurrency'>
  readonly listed: ListedTokens
  readonly mints: ReadonlyMap<string, TokenFacts>
  readonly getTokenIcon: GetTokenIcon
}

/**
 * A row in the wire format; undefined if all transfers are spam, so that nothing is left to show.
 */
export function toSolanaEntry(
  { slot, signature, minedAtMs, failed, facts }: SolanaRow,
  context: EntryContext,
): HistoryTransaction | undefined {
  const moves = facts.moves.filter((move) => !isHidden(move, facts, context))
  if (moves.length === 0 && facts.moves.length > 0) return undefined
  const status = failed ? 'failed' : 'confirmed'
  const operationType = getSolanaOperation({ ...facts, moves })
  const { owner, chainId } = context
  const other = moves.find((move) => move.other !== undefined)?.other
  const target = facts.target ?? other ?? ''
  return {
    id: `${chainId}:${signature}`,
    metadata: {
      operationType,
      hash: signature,
      minedAt: new Date(minedAtMs).toISOString(),
      sentFrom: operationType === 'receive' ? (other ?? facts.feePayer) : facts.feePayer,
      sentTo:
        operationType === 'receive' ? owner : operationType === 'send' ? (other ?? target) : target,
      status,
      nonce: 0,
      application: null,
      chain: chainId,
      block: Number(slot),
      ...(facts.fee !== undefined && { fee: toFee(facts, facts.fee, context) }),
    },
    transfers: moves.map((move) => toTransfer(move, facts, context)),
  }
}

const toFee = ({ feePayer }: SolanaFacts, fee: number, { chain }: EntryContext) => ({
  numeric: formatUnits(BigInt(fee), chain.nativeCurrency.decimals),
  payer: feePayer,
})

type Token = Pick<TokenFacts, 'name' | 'symbol'> & { readonly listed: boolean }

function getToken({ mint }: SolanaMove, { chain, listed, mints }: EntryContext): Token {
  if (mint === undefined) return { ...chain.nativeCurrency, listed: true }
  const known = listed.tokens.get(mint)
  if (known !== undefined) return { name: known.name, symbol: known.symbol, listed: true }
  const { name = null, symbol = null } = mints.get(mint) ?? {}
  return { name, symbol, listed: false }
}

function isHidden(move: SolanaMove, { own: ownAct }: SolanaFacts, context: EntryContext): boolean {
  if (isNft(move)) return false
  const { knownNames } = context.listed
  const token = getToken(move, context)
  return isSpamToken({ ...token, amount: BigInt(move.amount), ownAct, knownNames })
}

function toTransfer(
  move: SolanaMove,
  { own }: SolanaFacts,
  context: EntryContext,
): HistoryTransfer {
  const { name, symbol, listed } = getToken(move, context)
  const { mint, amount, decimals, direction } = move
  const common = {
    direction,
    value: null,
    price: null,
    ...(mint !== undefined && { address: `${context.chainId}:${mint}` }),
    quantity: { numeric: formatUnits(BigInt(amount), decimals) },
  }
  if (isNft(move)) {
    const { knownNames } = context.listed
    // A listed token without decimals is not a copy of itself.
    const unlisted = listed ? null : name
    const isSpam = isSpamNft({ name: unlisted, texts: [symbol], ownAct: own, knownNames })
    const flags = { is_spam: isSpam }
    return { ...common, fungible_info: null, nft_info: { name, content: null, flags } }
  }
  const url = listed && symbol !== null ? context.getTokenIcon(symbol) : ''
  const icon = url === '' ? null : { url }
  const names = listed ? { name, symbol } : { name: hideBait(name), symbol: hideBait(symbol) }
  const fungible_info = { ...names, icon, ...(listed && { is_listed: true }) }
  return { ...common, fungible_info, nft_info: null }
}
