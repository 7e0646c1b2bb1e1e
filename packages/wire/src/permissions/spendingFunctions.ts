import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Functions of tokens that could move everything. Permissions with an amount replace them. */
const signatures = [
  'approve(address,uint256)',
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'increaseAllowance(address,uint256)',
  'increaseApproval(address,uint256)',
  'setApprovalForAll(address,bool)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'transferAndCall(address,uint256)',
  'transferAndCall(address,uint256,bytes)',
  'transferFromAndCall(address,address,uint256)',
  'transferFromAndCall(address,address,uint256,bytes)',
  'approveAndCall(address,uint256)',
  'approveAndCall(address,uint256,bytes)',
  'approve(address,address,uint160,uint48)',
  'send(address,uint256,bytes)',
  'operatorSend(address,address,uint256,bytes,bytes)',
  'authorizeOperator(address)',
  // ERC-223, ERC-6909, LSP7, ERC-4626.
  'transfer(address,uint256,bytes)',
  'transfer(address,uint256,uint256)',
  'transferFrom(address,address,uint256,uint256)',
  'approve(address,uint256,uint256)',
  'setOperator(address,bool)',
  'transfer(address,address,uint256,bool,bytes)',
  'authorizeOperator(address,uint256,bytes)',
  'withdraw(uint256,address,address)',
  'redeem(uint256,address,address)',
  // Well-known tokens: DAI, stETH, debt of Aave, Compound.
  'push(address,uint256)',
  'move(address,address,uint256)',
  'transferShares(address,uint256)',
  'transferSharesFrom(address,address,uint256)',
  'approveDelegation(address,uint256)',
  'allow(address,bool)',
]

/**
 * The first four bytes of a call of a function, for example `0xa9059cbb` for
 * `transfer(address,uint256)`.
 */
export const getFunctionSelector = (signature: string): string =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4))}`

/**
 * Whether a function with this selector moves tokens, or lets others move them, without a limit.
 */
export const movesTokens = (selector: string): boolean =>
  signatures.some((one) => getFunctionSelector(one) === selector)
