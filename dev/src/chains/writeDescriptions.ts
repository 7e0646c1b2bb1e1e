import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Abi, Address } from 'viem'
import { readArtifact } from '../contracts/artifacts.ts'
import { chainDefinitions, devChainIds } from './definitions.ts'
import type { ChainPlans } from './startChains.ts'

/** Folders as the server's DESCRIPTORS_DIR and ABIS_DIR name them. */
export type DescriptionFolders = { readonly descriptorsDir: string; readonly abisDir: string }

/**
 * Writes files that name calls of the development contracts into `dataDir`: an ERC-7730 file for
 * each of the exchange's routers, and the ABI of the dollar token. A swap is then described by a
 * file, and `mint` named by an ABI.
 */
export function writeDescriptions({ plans }: ChainPlans, dataDir: string): DescriptionFolders {
  const folders = { descriptorsDir: join(dataDir, 'descriptors'), abisDir: join(dataDir, 'abis') }
  for (const folder of Object.values(folders)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  const deploy = (contract: 'uniswapV2Router' | 'swapRouter') =>
    devChainIds.map((id) => ({
      chainId: chainDefinitions[id].chainId,
      address: plans[id].addresses[contract],
    }))
  const describe = (file: string, content: object) =>
    write(join(folders.descriptorsDir, `${file}.json`), content)
  describe('common-swap', commonSwap)
  describe('calldata-router', createRouter(deploy('uniswapV2Router')))
  describe('calldata-swap-router', createSwapRouter(deploy('swapRouter')))
  const { abi } = readArtifact('DevToken')
  for (const id of devChainIds) {
    const { chainId } = chainDefinitions[id]
    write(join(folders.abisDir, String(chainId), `${plans[id].addresses.usd}.json`), abi)
  }
  return folders
}

function write(path: string, content: object | Abi): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

const commonSwap = {
  metadata: { owner: 'Development exchange' },
  display: {
    definitions: {
      least: {
        label: 'Least to receive',
        format: 'tokenAmount',
        params: { tokenPath: 'path.[-1]' },
      },
      receiver: { path: 'to', label: 'Receiver', format: 'addressName' },
      deadline: {
        path: 'deadline',
        label: 'Deadline',
        format: 'date',
        params: { encoding: 'timestamp' },
      },
    },
  },
}

type Deployments = { chainId: number; address: Address }[]

const swapFile = (deployments: Deployments) => ({
  $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v1.schema.json',
  includes: 'common-swap.json',
  context: { $id: 'Development exchange', contract: { deployments } },
})

const amountToSend = {
  path: 'amountIn',
  label: 'Amount to send',
  format: 'tokenAmount',
  params: { tokenPath: 'path.[0]' },
}

const createRouter = (deployments: Deployments) => ({
  ...swapFile(deployments),
  display: {
    formats: {
      'swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)': {
        intent: 'Swap',
        fields: [
          { path: 'amountOutMin', $ref: '$.display.definitions.least' },
          { $ref: '$.display.definitions.receiver' },
          { $ref: '$.display.definitions.deadline' },
        ],
      },
      'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)':
        {
          intent: 'Swap',
          fields: [
            amountToSend,
            { path: 'amountOutMin', $ref: '$.display.definitions.least' },
            { $ref: '$.display.definitions.receiver' },
            { $ref: '$.display.definitions.deadline' },
          ],
        },
    },
  },
})

/** The functions of SwapRouter02 that the swap view calls. */
const createSwapRouter = (deployments: Deployments) => ({
  ...swapFile(deployments),
  display: {
    formats: {
      'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)':
        {
          intent: 'Swap',
          fields: [
            amountToSend,
            { path: 'amountOutMin', $ref: '$.display.definitions.least' },
            { $ref: '$.display.definitions.receiver' },
          ],
        },
      'exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)':
        {
          intent: 'Swap',
          fields: [
            { path: 'params.amountIn', label: 'Amount to send', format: 'raw' },
            { path: 'params.amountOutMinimum', label: 'Least to receive', format: 'raw' },
            { path: 'params.recipient', label: 'Receiver', format: 'addressName' },
          ],
        },
      'sweepToken(address token, uint256 amountMinimum, address recipient)': {
        intent: 'Receive',
        fields: [
          {
            path: 'amountMinimum',
            label: 'Least to receive',
            format: 'tokenAmount',
            params: { tokenPath: 'token' },
          },
          { path: 'recipient', label: 'Receiver', format: 'addressName' },
        ],
      },
      'unwrapWETH9(uint256 amountMinimum, address recipient)': {
        intent: 'Unwrap',
        fields: [
          { path: 'amountMinimum', label: 'Least to receive', format: 'amount' },
          { path: 'recipient', label: 'Receiver', format: 'addressName' },
        ],
      },
    },
  },
})
