import type { Hex } from './hex.ts'

/** Permit2, at the same address on every network that has it. */
export const permit2Address: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/**
 * The kinds of approvals: an amount of an ERC-20, one ERC-721, all NFTs of a contract, or an amount
 * through Permit2.
 */
export const approvalKinds = ['erc20', 'erc721', 'operator', 'permit2'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/**
 * The largest values of uint256, of Permit2's uint160, and of tokens that keep a uint96; spending
 * may have begun.
 */
export const isUnlimited = (amount: bigint): boolean =>
  amount >= 2n ** 159n || amount === 2n ** 96n - 1n
