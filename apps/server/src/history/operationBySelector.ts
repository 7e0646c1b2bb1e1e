import type { OperationType } from '@latchkey/wire'
import { toFunctionSelector } from 'viem/utils'

/** Functions with the same meaning in every contract, by operation type. */
const functions: Partial<Record<OperationType, readonly string[]>> = {
  approve: [
    'approve(address,uint256)',
    'setApprovalForAll(address,bool)',
    'increaseAllowance(address,uint256)',
    'decreaseAllowance(address,uint256)',
    // ERC-2612, its older form with a nonce, and Permit2
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'approve(address,address,uint160,uint48)',
  ],
  deposit: [
    'deposit()',
    'deposit(uint256)',
    // ERC-4626
    'deposit(uint256,address)',
    'mint(uint256,address)',
    'supply(address,uint256,address,uint16)',
    'deposit(address,uint256,address,uint16)',
    'depositETH(address,address,uint16)',
    'supply(address,uint256)',
  ],
  withdraw: [
    'withdraw(uint256)',
    'withdraw(uint256,address,address)',
    'redeem(uint256,address,address)',
    'withdraw(address,uint256,address)',
    'withdrawETH(address,uint256,address)',
    'withdraw(address,uint256)',
    'redeem(uint256)',
    'redeemUnderlying(uint256)',
  ],
  stake: ['stake(uint256)', 'stake()', 'stake(address,uint256)', 'submit(address)'],
  unstake: [
    'unstake(uint256)',
    'unstake()',
    'exit()',
    'cooldown()',
    'requestWithdrawals(uint256[],address)',
  ],
  claim: [
    'claim()',
    'claim(address)',
    'claim(uint256)',
    'claim(uint256,address,uint256,bytes32[])',
    'getReward()',
    'claimRewards()',
    'claimComp(address)',
    'claimWithdrawals(uint256[],uint256[])',
  ],
  borrow: [
    'borrow(uint256)',
    'borrow(address,uint256,uint256,uint16,address)',
    'borrowETH(address,uint256,uint256,uint16)',
  ],
  repay: [
    'repay(address,uint256,uint256,address)',
    'repayETH(address,uint256,uint256,address)',
    'repayWithATokens(address,uint256,uint256)',
    'repayBorrow(uint256)',
    'repayBorrow()',
  ],
  burn: ['burn(uint256)', 'burn(address,uint256,uint256)', 'burnFrom(address,uint256)'],
}

const toSelectors = (signatures: readonly string[]) =>
  signatures.map((signature) => toFunctionSelector(`function ${signature}`))

/** The operation type for the sender of a transaction, by the function's selector (lower case). */
export const operationBySelector: ReadonlyMap<string, OperationType> = new Map(
  (Object.entries(functions) as [OperationType, readonly string[]][]).flatMap(([type, list]) =>
    toSelectors(list).map((selector) => [selector, type] as const),
  ),
)

/** Functions that send something away, for transactions that failed to. */
export const transferSelectors: ReadonlySet<string> = new Set(
  toSelectors([
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256,bytes)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  ]),
)
