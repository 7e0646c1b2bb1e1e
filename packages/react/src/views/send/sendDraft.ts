import { isSameAddress, type NftRef, type SendDraft, type SendParameters } from '@latchkey/core'
import { type Balance, isNamespace } from '@latchkey/wire'
import type { ReceiverStatus } from './useReceiver.ts'

/** The id of a token in the draft. */
export const getTokenKey = ({ address }: Balance): string => address ?? 'native'

/** Whether two ids of tokens are spellings of the same token. */
export function isSameToken(one: string, other: string): boolean {
  const [namespace = '', chain, address = ''] = one.split(':')
  const [otherNamespace, otherChain, otherAddress = ''] = other.split(':')
  if (!isNamespace(namespace)) return one === other
  const isSameChain = namespace === otherNamespace && chain === otherChain
  return isSameChain && isSameAddress({ namespace, one: address, other: otherAddress })
}

/**
 * The draft's token among the balances: the chosen token, otherwise the native currency if
 * available.
 */
export const getSelectedToken = (
  balances: readonly Balance[],
  { token }: SendDraft,
): Balance | undefined =>
  balances.find((balance) => isSameToken(getTokenKey(balance), token ?? 'native')) ??
  (token === undefined ? balances[0] : undefined)

/** Converts the draft for core. */
export function toSendParameters(draft: SendDraft, balance: Balance): SendParameters {
  const { symbol, quantity } = balance
  // A token's address is a CAIP-10 id; its last part is the address on the chain.
  const address = balance.address?.split(':').at(-1)
  return {
    to: draft.receiverAddress.trim(),
    amount: draft.amount.trim(),
    token: { symbol, decimals: Number(quantity.decimals), ...(address && { address }) },
    ...(draft.speed && { speed: draft.speed }),
    ...(draft.smallCoins && { smallCoins: true }),
  }
}

/** The saved form of this NFT, or a new one. */
export function getNftDraft({ nft: saved }: SendDraft, nft: NftRef): NonNullable<SendDraft['nft']> {
  const { chainId, contract, tokenId } = nft
  const isSame =
    saved?.chainId === chainId && saved.contract === contract && saved.tokenId === tokenId
  return isSame ? saved : { ...nft, amount: '1', receiver: { address: '' } }
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

/** The first step that the form still needs; `preview` if complete. */
export function getSendStep({
  draft,
  balance,
  receiver,
  toUnits,
}: {
  draft: SendDraft
  balance: Balance | undefined
  receiver: ReceiverStatus
  /** Converts whole tokens to smallest units; throws on invalid numbers. */
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

/**
 * The next step that a receiver needs; `preview` if complete. The preview repeats checks that were
 * not possible here.
 */
export function getReceiverStep(
  receiver: ReceiverStatus,
): Extract<SendStep, 'addAddress' | 'invalidAddress' | 'resolving' | 'unresolved' | 'preview'> {
  if (receiver === 'empty') return 'addAddress'
  if (receiver === 'invalid' || receiver === 'mistyped') return 'invalidAddress'
  if (receiver === 'resolving') return 'resolving'
  return receiver === 'ready' || receiver === 'checking' ? 'preview' : 'unresolved'
}
