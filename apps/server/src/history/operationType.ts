import type { OperationType } from '@latchkey/wire'
import type { ActivityRow, ActivityTransfer } from '../activity/activity.ts'
import { zeroAddress } from '../evm/address.ts'
import type { Hex } from '../evm/hex.ts'
import { operationBySelector, transferSelectors } from './operationBySelector.ts'

const nowhere: ReadonlySet<string> = new Set([
  zeroAddress,
  '0x000000000000000000000000000000000000dead',
])

/** Which way a transfer went for an account. Addresses are lower-case. */
export function getDirection({ from, to }: ActivityTransfer, account: Hex): 'in' | 'out' | 'self' {
  if (from === to) return 'self'
  return from === account ? 'out' : 'in'
}

/**
 * The kind of a transaction for an account: by its transfers and, if they are ambiguous, by the
 * function that the account called. Never throws; unknown kinds are `execute`.
 */
export function getOperationType(row: ActivityRow, account: Hex): OperationType {
  const own = row.from === account
  if (own && (row.created !== undefined || row.to === undefined)) return 'deploy'
  const called = own ? operationBySelector.get(row.selector ?? '') : undefined
  const moved = getMoves(row, account)
  if (moved.ins.length === 0 && moved.outs.length === 0)
    return classifyWithoutMoves(row, account, called)
  return called ?? classifyMoves(moved, own)
}

type Moves = {
  readonly ins: readonly ActivityTransfer[]
  readonly outs: readonly ActivityTransfer[]
}

function getMoves({ transfers }: ActivityRow, account: Hex): Moves {
  const moving = transfers.filter(({ amount }) => amount > 0n)
  return {
    ins: moving.filter((transfer) => getDirection(transfer, account) === 'in'),
    outs: moving.filter((transfer) => getDirection(transfer, account) === 'out'),
  }
}

function classifyWithoutMoves(
  row: ActivityRow,
  account: Hex,
  called: OperationType | undefined,
): OperationType {
  if (row.from !== account) return row.transfers.length > 0 ? 'receive' : 'execute'
  const bare = row.selector === undefined
  if (bare && row.to === account && row.valueWei === 0n) return 'cancel'
  if (called !== undefined) return called
  return bare || transferSelectors.has(row.selector ?? '') ? 'send' : 'execute'
}

const isNft = ({ standard }: ActivityTransfer) => standard === 'erc721' || standard === 'erc1155'
const isMoney = (transfer: ActivityTransfer) => !isNft(transfer)

function classifyMoves({ ins, outs }: Moves, own: boolean): OperationType {
  if (ins.length > 0 && outs.length > 0) return classifyExchange(ins, outs)
  if (ins.length > 0) return ins.some(({ from }) => nowhere.has(from)) ? 'mint' : 'receive'
  if (outs.every(({ to }) => nowhere.has(to))) return 'burn'
  // A spender may move what the account allowed it to. For the account it is still an outflow.
  return own || outs.length > 0 ? 'send' : 'execute'
}

function classifyExchange(
  ins: readonly ActivityTransfer[],
  outs: readonly ActivityTransfer[],
): OperationType {
  if (ins.some(isNft) && outs.every(isMoney))
    return ins.some((one) => isNft(one) && nowhere.has(one.from)) ? 'mint' : 'bought'
  if (outs.some(isNft) && ins.every(isMoney)) return 'sell'
  // Vault shares come from the zero address on a deposit and go to it on a withdrawal. Wrapped
  // currency comes from its contract.
  if (ins.some(({ from, contract }) => nowhere.has(from) || from === contract)) return 'deposit'
  if (outs.some(({ to, contract }) => nowhere.has(to) || to === contract)) return 'withdraw'
  const outgoing = new Set(outs.map(getAsset))
  return ins.every((transfer) => outgoing.has(getAsset(transfer))) ? 'execute' : 'trade'
}

const getAsset = ({ contract, tokenId }: ActivityTransfer) =>
  `${contract ?? 'native'}:${tokenId ?? ''}`
