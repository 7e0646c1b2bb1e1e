import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  type Hex,
} from 'viem'
import type { SignatureReview } from '../../signatureReview.ts'

type Call = Extract<SignatureReview, { kind: 'transaction' }>['call']

/** What nobody holds: wallets and apps write allowances without a limit so. */
const unlimitedFrom = 1n << 255n

/** What data asks of a token's contract (ERC-20, ERC-721, ERC-1155), each value with its name; undefined for anything else. */
export function readCall(data: Hex): Call {
  const abi = [...erc20Abi, ...erc721Abi, ...erc1155Abi]
  for (const item of abi) {
    if (item.type !== 'function' || item.stateMutability === 'view') continue
    try {
      const { functionName, args } = decodeFunctionData({ abi: [item], data })
      const values = (args ?? []) as readonly unknown[]
      // Data that says more than what it was read as is shown as it is.
      const again = encodeFunctionData({ abi: [item], functionName, args } as never)
      if (again !== data.toLowerCase()) return undefined
      const rows = item.inputs.map(({ name }, at) => ({
        name: name || String(at),
        value: String(values[at]),
      }))
      const last = values.at(-1)
      const isUnlimited =
        functionName === 'setApprovalForAll'
          ? last === true
          : functionName === 'approve' && (last as bigint) >= unlimitedFrom
      return { name: functionName, rows, isUnlimited }
    } catch {
      // It is another function.
    }
  }
  return undefined
}
