import type { Hex } from './hex.ts'

/** Permit2, at the same address on every network that has it. */
export const permit2Address: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/**
 * The kinds of approvals: an amount of an ERC-20, one ERC-721, all NFTs of a contract, or an amount
 * through Permit2.
 */
export const approvalKinds = ['erc20', 'erc721', 'operator', 'permit2'] as const
export type ApprovalKind = (typeof approvalKinds)[number]
