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
 * the exchange's router, and the ABI of the dollar token. A swap is then described by a file, and
 * `mint` named by an ABI.
 */
export function writeDescriptions({ plans }: ChainPlans, dataDir: string): DescriptionFolders {
  const folders = { descriptorsDir: join(dataDir, 'descriptors'), abisDir: join(dataDir, 'abis') }
  for (const folder of Object.values(folders)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  const deployments = devChainIds.map((id) => ({
    chainId: chainDefinitions[id].chainId,
    address: plans[id].addresses.uniswapV2Router,
  }))
  write(join(folders.descriptorsDir, 'common-swap.json'), commonSwap)
  write(join(folders.descriptorsDir, 'calldata-router.json'), createRouter(deployments))
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

const createRouter = (deployments: { chainId: number; address: Address }[]) => ({
  $schema: 'https://eips.ethereum.org/assets/eip-7730/erc7730-v1.schema.json',
  includes: 'common-swap.json',
  context: { $id: 'Development exchange', contract: { deployments } },
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
            {
              path: 'amountIn',
              label: 'Amount to send',
              format: 'tokenAmount',
              params: { tokenPath: 'path.[0]' },
            },
            { path: 'amountOutMin', $ref: '$.display.definitions.least' },
            { $ref: '$.display.definitions.receiver' },
            { $ref: '$.display.definitions.deadline' },
          ],
        },
    },
  },
})
