import { formatAmount, formatQuantity, truncateAddress } from '@latchkey/core/internal'
import {
  type HistoryApproval,
  type HistoryTransaction,
  type HistoryTransfer,
  operationTypes,
} from '@latchkey/wire'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'

/** The action of a transaction, for example "Received". */
export function useVerb({ metadata, transfers }: HistoryTransaction): string {
  const t = useT(enActivity)
  const isToSelf = transfers.length > 0 && transfers.every(({ direction }) => direction === 'self')
  if (isToSelf) return t('activity.self')
  const known = operationTypes.find((type) => type === metadata.operationType)
  return t(`activity.${known ?? 'other'}`)
}

/**
 * The name of a moved asset: the symbol of a token, or the name of an NFT in quotes, because anyone
 * can call an NFT "1,000 USDC".
 */
export function useAssetName({ fungible_info, nft_info }: HistoryTransfer): string {
  const t = useT(enActivity)
  if (!nft_info) return fungible_info?.symbol ?? fungible_info?.name ?? t('activity.token')
  return nft_info.name ? t('activity.nftName', { name: nft_info.name }) : t('activity.nft')
}

/** The end of an amount, before the name of its asset: NFTs are counted, also a single NFT. */
export const getTimes = ({ nft_info }: HistoryTransfer): string => (nft_info ? ' ×' : '')

/** The signs of amounts by direction. */
export const signs = { in: '+', out: '−', self: '' } as const

/** The assets that an approval allowed, for example "500 USDC", or that were revoked. */
export function useAllowed(approval: HistoryApproval, isRevoked: boolean): string {
  const t = useT(enActivity)
  const { kind, tokenId, amount, isUnlimited } = approval
  const token = getTokenName(approval)
  if (kind === 'operator') return t('activity.allOf', { token })
  if (tokenId !== null) return `${token} #${tokenId}`
  if (isRevoked || amount === null) return token
  return isUnlimited ? t('activity.unlimited', { token }) : `${shortQuantity(amount)} ${token}`
}

const getTokenName = ({ token: { symbol, name, address } }: HistoryApproval): string =>
  symbol ?? name ?? truncateAddress(address.split(':').at(-1) ?? '')

/** Below 1, three decimals leave out much of a coin's value. */
const smallDecimals = 6

/** A quantity without zeros at its end, below 1 with up to six decimals. */
export function shortQuantity(numeric: string): string {
  const small = /^0?\.0*[1-9]/.test(numeric) ? formatAmount(numeric, smallDecimals) : ''
  const shown = /[1-9]/.test(small) ? small : formatQuantity(numeric)
  return shown.replace(/\.?0+$/, '')
}
