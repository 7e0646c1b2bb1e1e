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
  if (ins.length > 0 && outs.length > 0) return classifyExchange(dropChange({ ins, outs }))
  if (ins.length > 0) return ins.some(({ from }) => nowhere.has(from)) ? 'mint' : 'receive'
  if (outs.every(({ to }) => nowhere.has(to))) return 'burn'
  // A spender may move what the account allowed it to. For the account it is still an outflow.
  return own || outs.length > 0 ? 'send' : 'execute'
}

function classifyExchange({ ins, outs }: Moves): OperationType {
  if (ins.length === 0 || outs.length === 0) return 'execute'
  if (ins.some(isNft) && outs.every(isMoney))
    return ins.some((one) => isNft(one) && nowhere.has(one.from)) ? 'mint' : 'bought'
  if (outs.some(isNft) && ins.every(isMoney)) return 'sell'
  // Vault shares come from the zero address on a deposit and go to it on a withdrawal. Wrapped
  // currency comes from its contract. A token that is traded may burn or keep a part of each
  // transfer, but never all of it.
  if (ins.every(({ from, contract }) => nowhere.has(from) || from === contract)) return 'deposit'
  // A withdrawal may cost a fee in native currency.
  const tokens = outs.filter(({ contract }) => contract !== undefined)
  const isWithdrawal = tokens.every(({ to, contract }) => nowhere.has(to) || to === contract)
  return tokens.length > 0 && isWithdrawal ? 'withdraw' : 'trade'
}

/** Without what comes back: the change of a payment, and what is only passed on. */
function dropChange({ ins, outs }: Moves): Moves {
  const sums = new Map<string, bigint>()
  const add = (transfer: ActivityTransfer, amount: bigint) =>
    sums.set(getAsset(transfer), getSum(transfer) + amount)
  const getSum = (transfer: ActivityTransfer) => sums.get(getAsset(transfer)) ?? 0n
  for (const transfer of ins) add(transfer, transfer.amount)
  for (const transfer of outs) add(transfer, -transfer.amount)
  return {
    ins: ins.filter((transfer) => getSum(transfer) > 0n),
    outs: outs.filter((transfer) => getSum(transfer) < 0n),
  }
}

const getAsset = ({ contract, tokenId }: ActivityTransfer) =>
  `${contract ?? 'native'}:${tokenId ?? ''}`
