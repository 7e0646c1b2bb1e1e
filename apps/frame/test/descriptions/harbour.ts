import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDescriptions } from '@latchkey/server/descriptions'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ApprovalRequest } from '../../src/requests/approvalRequest.ts'
import { account, createTestRequest, prepareRequest } from '../testRequest.ts'

export const harbour = '0x6666666666666666666666666666666666666666'
export const usd = '0x7777777777777777777777777777777777777777'
export const share = '0x8888888888888888888888888888888888888888'
export const other = '0x9999999999999999999999999999999999999999'
export const coin = '0x0000000000000000000000000000000000000000'

/** The symbol and decimals of the chain's tokens; every other contract is not a token. */
const tokens: Readonly<Record<string, readonly [string, bigint]>> = {
  [usd]: ['USD', 6n],
  [share]: ['SHR', 18n],
}
const read: ApprovalRequest['read'] = async (_, method, params) => {
  if (method !== 'eth_call') return '0x1'
  const [{ to, data }] = params as [{ to: string; data: Hex }]
  const [symbol, decimals] = tokens[to.toLowerCase()] ?? []
  // The contracts by which rollups charge for data are on no other chain.
  if (/^0x[45][2-3]0{36}[0-9a-f]{2}$/i.test(to)) return '0x'
  if (symbol === undefined || decimals === undefined) throw new Error('execution reverted')
  if (data === '0x95d89b41') return encodeAbiParameters([{ type: 'string' }], [symbol])
  const number = data === '0x313ce567' ? decimals : 10n ** 30n
  return encodeAbiParameters([{ type: 'uint256' }], [number])
}

/** A folder of ERC-7730 files as the server reads it, and a card with what it says. */
export function openFiles(files: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-harbour-'))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content))
  const problems: string[] = []
  const descriptions = openDescriptions({ descriptorsDir: folder, abisDir: undefined }, (one) =>
    problems.push(one),
  )
  rmSync(folder, { recursive: true })
  const show = async (method: string, params: unknown[]) => {
    const { view } = await prepareRequest(
      createTestRequest({
        method,
        params,
        read,
        keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
        fetchDescription: ({ id }, signed) => descriptions.find({ chainId: id, ...signed }),
      }),
    )
    return view
  }
  const call = (data: Hex, to: Hex = harbour, value: Hex = '0x0') =>
    show('eth_sendTransaction', [{ from: account, to, data, value }])
  const sign = (data: object) => show('eth_signTypedData_v4', [account, data])
  return { problems, call, sign }
}

type View = Awaited<ReturnType<ReturnType<typeof openFiles>['call']>>

/** The rows of the call itself, as label and text. */
export const rowsOf = ({ groups }: View, group = 0): (string | undefined)[][] =>
  (groups[group]?.rows ?? []).map(({ label, value, address, data, tree }) => [
    label,
    value ?? address?.toLowerCase() ?? data ?? tree?.map((line) => line.value).join(' '),
  ])

/**
 * The rows that come from the description file: between its author and the list of all parameters.
 */
export const namedOf = (view: View) =>
  rowsOf(view).slice(
    4,
    rowsOf(view).findIndex(([label]) => label === 'All parameters'),
  )

/** A file for the harbour alone, with these formats. */
export const fileOf = (formats: object, to: string = harbour) => ({
  context: { contract: { deployments: [{ chainId: 1, address: to }] } },
  metadata: { owner: 'Harbour' },
  display: { formats },
})

/** The bytes of a call by its signature. */
export const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args } as never)
