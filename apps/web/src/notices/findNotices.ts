import { isSameAddress } from '@latchkey/core'
import {
  type FollowedAccount,
  formatQuantity,
  getTransferAmounts,
  type OldAllowance,
} from '@latchkey/react'
import type { HistoryTransaction } from '@latchkey/wire'
import { text } from '../locales/text.ts'
import { smallLimit } from '../portfolio/filterTokens.ts'
import { writeNoticeLink } from './noticeLink.ts'
import { getPriceKey, type Prices } from './readPrices.ts'

/** A notice: its title, the network that its second line names, and the link that it opens. */
export type Notice = {
  readonly id: string
  readonly title: string
  readonly chainId: string | null
  readonly link: string
}

/** With more news at once, one notice counts them. */
const maxAtOnce = 3

/**
 * The notices for the transactions of an account, oldest first: those that arrived, were confirmed
 * or failed since `sinceMs` and are not in `seen`. `ids` are the transactions that they report, or
 * that are not worth a notice.
 */
export function findNotices(
  transactions: readonly HistoryTransaction[],
  {
    account,
    sinceMs,
    seen,
    prices,
  }: {
    account: Pick<FollowedAccount, 'namespace' | 'address'>
    sinceMs: number
    seen: readonly string[]
    prices: Prices
  },
): { notices: readonly Notice[]; ids: readonly string[] } {
  const { address } = account
  const fresh = transactions.filter(
    ({ id, metadata: { status, minedAt } }) =>
      status !== 'pending' && Date.parse(minedAt) >= sinceMs && !seen.includes(id),
  )
  const notices = fresh
    .flatMap((transaction): Notice[] => {
      const title = describe(transaction, { account, prices })
      if (!title) return []
      const { id } = transaction
      const { chain: chainId } = transaction.metadata
      const link = writeNoticeLink({ chainId, address, transactionId: id, isOne: true })
      return [{ id, title, chainId, link }]
    })
    .reverse()
  const ids = fresh.map(({ id }) => id)
  const newest = notices.at(-1)
  if (!newest || notices.length <= maxAtOnce) return { notices, ids }
  const title = text('notices.many', { count: notices.length })
  const { id: transactionId, chainId } = newest
  const link = writeNoticeLink({ chainId, address, transactionId, isOne: false })
  return { notices: [{ ...newest, title, chainId: null, link }], ids }
}

/** Undefined for a transaction of someone else that moved nothing of worth. */
function describe(
  { metadata, transfers }: HistoryTransaction,
  {
    account: { namespace, address },
    prices,
  }: { account: Pick<FollowedAccount, 'namespace' | 'address'>; prices: Prices },
): string | undefined {
  const payers = [metadata.sentFrom, metadata.fee?.payer]
  const isOwn = payers.some((one) => one && isSameAddress({ namespace, one, other: address }))
  const amounts = getTransferAmounts(transfers)
  const { chain } = metadata
  if (!isOwn && !amounts.some((amount) => hasWorth(amount, { chain, prices }))) return undefined
  const [sent, received] = (['out', 'in'] as const).map((direction) =>
    list(amounts.filter((amount) => amount.direction === direction)),
  )
  if (metadata.status === 'failed') {
    if (!isOwn) return undefined
    return sent ? text('notices.sentFailed', { what: sent }) : text('notices.failed')
  }
  if (sent && received) return text('notices.swapped', { sent, received })
  if (sent) return text('notices.sent', { what: sent })
  if (received) return text('notices.received', { what: received })
  return isOwn ? text('notices.confirmed') : undefined
}

type Amount = ReturnType<typeof getTransferAmounts>[number]

/** Anyone can send dust, an NFT, and a token that no list has, or seem to move such a token. */
function hasWorth(
  { numeric, transfer: { fungible_info, address } }: Amount,
  { chain, prices }: { chain: string | null; prices: Prices },
): boolean {
  if (!fungible_info || (address !== undefined && !fungible_info.is_listed)) return false
  const amount = Number(numeric)
  const price = prices.get(getPriceKey(chain, address))
  return amount > 0 && (price === undefined || amount * price >= smallLimit)
}

function list(amounts: readonly Amount[]): string | undefined {
  const [first, ...others] = amounts
  if (!first) return undefined
  return others.length === 0 ? write(first) : text('notices.several', { count: amounts.length })
}

/** Anyone can give a token or an NFT a name that reads like an instruction. */
function write({ numeric, transfer: { fungible_info, address } }: Amount): string {
  if (!fungible_info) return text('notices.nft')
  const { symbol, is_listed } = fungible_info
  const isListed = address === undefined || is_listed
  return isListed && symbol ? `${formatQuantity(numeric)} ${symbol}` : text('notices.token')
}

/** The notice for the first of these allowances, and for all others of its account and token. */
export function findAllowanceNotice(
  old: readonly OldAllowance[],
): (Notice & { readonly accountId: string }) | undefined {
  const [first] = old
  if (!first) return undefined
  const { owner: address } = first
  const { token, kind } = first.allowance
  const same = old.flatMap(({ allowance, owner }) =>
    owner === address && allowance.token.address === token.address ? [allowance] : [],
  )
  const count = new Set(same.map(({ spender }) => spender.toLowerCase())).size
  const times = same.map(({ changedAt }) => Date.parse(changedAt))
  const since = new Date(Math.min(...times)).toLocaleDateString(undefined, { dateStyle: 'long' })
  const isCoin = kind === 'erc20' || kind === 'permit2'
  const unnamed = text(isCoin ? 'notices.allOfToken' : 'notices.allOfNfts')
  const what = isCoin && token.isListed && token.symbol ? token.symbol : unnamed
  const chainId = token.address.slice(0, token.address.lastIndexOf(':'))
  return {
    id: `allowance ${token.address}`,
    title:
      count === 1
        ? text('notices.allowance', { what, since })
        : text('notices.allowances', { count, what, since }),
    chainId,
    link: writeNoticeLink({ chainId, address, transactionId: undefined, isOne: false }),
    accountId: `${chainId}:${address}`,
  }
}
