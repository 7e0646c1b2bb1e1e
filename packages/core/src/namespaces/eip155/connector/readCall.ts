import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  type Hex,
  parseAbi,
} from 'viem'
import type { SignatureReview } from '../../signatureReview.ts'

type Call = Extract<SignatureReview, { kind: 'transaction' }>['call']

/** Functions that approve a spender like `approve`: in older ERC-20 tokens, and in Permit2. */
const otherApprovals = parseAbi([
  'function increaseAllowance(address spender, uint256 addedValue)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

/** The functions that only transfer. Every other decoded function changes a right. */
const transfers: readonly string[] = [
  'transfer',
  'transferFrom',
  'safeTransferFrom',
  'safeBatchTransferFrom',
]

/**
 * Whether an amount is larger than any balance. Wallets and apps write unlimited allowances this
 * way; tokens with 96-bit amounts (UNI, COMP) use the largest 96-bit number.
 */
export const isUnlimitedAmount = (amount: bigint): boolean =>
  amount >= 1n << 128n || amount === (1n << 96n) - 1n

/**
 * Decodes calldata for a token contract (ERC-20, ERC-721, ERC-1155) or Permit2, with the name of
 * each value; undefined for anything else.
 */
export function readAllowanceCall(data: Hex): Call {
  const abi = [...erc20Abi, ...erc721Abi, ...erc1155Abi, ...otherApprovals]
  for (const item of abi) {
    if (item.type !== 'function' || item.stateMutability === 'view') continue
    try {
      const { functionName, args } = decodeFunctionData({ abi: [item], data })
      const values = (args ?? []) as readonly unknown[]
      // Calldata with more bytes than were decoded is shown raw.
      const again = encodeFunctionData({ abi: [item], functionName, args } as never)
      if (again !== data.toLowerCase()) return undefined
      const rows = item.inputs.map(({ name }, at) => ({
        name: name || String(at),
        value: String(values[at]),
      }))
      const isUnlimited =
        functionName === 'setApprovalForAll'
          ? values.at(-1) === true
          : /^(approve|increaseAllowance)$/.test(functionName) &&
            isUnlimitedAmount(values.find((one) => typeof one === 'bigint') ?? 0n)
      const changesRights = !transfers.includes(functionName)
      const sent = functionName === 'transfer' ? (values[1] as bigint) : undefined
      return { name: functionName, rows, isUnlimited, changesRights, sent }
    } catch {
      // It is another function.
    }
  }
  return undefined
}
