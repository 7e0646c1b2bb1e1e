import type { NftRef, SendDraft, SendParameters } from '@latchkey/core'
import type { Balance } from '@latchkey/wire'
import type { ReceiverStatus } from './useReceiver.ts'

/** How a token is named in the draft. */
export const tokenKey = ({ address }: Balance): string => address ?? 'native'

/** The token of the draft among what the account holds: the one chosen, else the native currency if there is any. */
export const getSelectedToken = (
  balances: readonly Balance[],
  { token }: SendDraft,
): Balance | undefined =>
  balances.find((balance) => tokenKey(balance) === (token ?? 'native')) ??
  (token === undefined ? balances[0] : undefined)

/** What core needs of the draft. */
export function toSendParameters(draft: SendDraft, balance: Balance): SendParameters {
  const { symbol, quantity } = balance
  // The address of a token is its CAIP-10 id; its last part is what the chain knows.
  const address = balance.address?.split(':').at(-1)
  return {
    to: draft.receiverAddress.trim(),
    amount: draft.amount.trim(),
    token: { symbol, decimals: Number(quantity.decimals), ...(address && { address }) },
  }
}

/** The form of one NFT as it was left; of another one it is new. */
export function getNftDraft({ nft: kept }: SendDraft, nft: NftRef): NonNullable<SendDraft['nft']> {
  const { chainId, contract, tokenId } = nft
  const isSame = kept?.chainId === chainId && kept.contract === contract && kept.tokenId === tokenId
  return isSame ? kept : { ...nft, amount: '1', receiver: { address: '' } }
}

export type SendStep =
  | 'chooseToken'
  | 'addAmount'
  | 'incorrectValue'
  | 'insufficientFunds'
  | 'addAddress'
  | 'invalidAddress'
  | 'resolving'
  | 'unresolved'
  | 'preview'

/** What the form still needs, first things first; `preview` when nothing. */
export function getSendStep({
  draft,
  balance,
  receiver,
  toUnits,
}: {
  draft: SendDraft
  balance: Balance | undefined
  receiver: ReceiverStatus
  /** Whole tokens to smallest units; throws on what is no such number. */
  toUnits: (amount: string, decimals: number) => bigint
}): SendStep {
  if (balance === undefined) return 'chooseToken'
  if (draft.amount.trim() === '') return 'addAmount'
  const decimals = Number(balance.quantity.decimals)
  try {
    const units = toUnits(draft.amount, decimals)
    if (units === 0n) return 'incorrectValue'
    if (units > toUnits(balance.quantity.numeric, decimals)) return 'insufficientFunds'
  } catch {
    return 'incorrectValue'
  }
  return getReceiverStep(receiver)
}

/** What a receiver still needs; `preview` when nothing. The preview checks again what could not be checked. */
export function getReceiverStep(
  receiver: ReceiverStatus,
): Extract<SendStep, 'addAddress' | 'invalidAddress' | 'resolving' | 'unresolved' | 'preview'> {
  if (receiver === 'empty') return 'addAddress'
  if (receiver === 'invalid') return 'invalidAddress'
  if (receiver === 'resolving') return 'resolving'
  return receiver === 'ready' || receiver === 'checking' ? 'preview' : 'unresolved'
}
