import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { SignedDescription } from '@latchkey/wire'
import { toFunctionSignature } from 'viem'
import { getErrorMessage } from '../getErrorMessage.ts'
import { findVerifiedFunction, type Signed } from './findVerifiedFunction.ts'
import { readDescriptor } from './readDescriptor.ts'

const maxFiles = 5_000

export type Descriptions = { find(signed: Signed): Promise<SignedDescription | undefined> }

/**
 * Reads the ERC-7730 files of a folder once, including subfolders; verified ABIs are read on
 * demand. Calls `warn` for each file and format that is left out.
 */
export function openDescriptions(
  { descriptorsDir, abisDir }: { descriptorsDir: string | undefined; abisDir: string | undefined },
  warn: (problem: string) => void,
): Descriptions {
  const found = descriptorsDir ? readFolder(descriptorsDir, warn) : new Map<string, undefined>()
  return {
    find: async (signed) =>
      found.get(toName(signed)) ??
      (abisDir === undefined ? undefined : findVerifiedFunction(abisDir, signed)),
  }
}

const toName = ({ chainId, address, key }: Signed) =>
  `${chainId} ${address.toLowerCase()} ${key.toLowerCase()}`

/** A function with the types of its parameters; typed data has its whole type. */
const toSignature = ({ name = '', inputs = [], encodedType }: SignedDescription) =>
  encodedType ??
  toFunctionSignature({
    type: 'function',
    stateMutability: 'payable',
    name,
    inputs,
    outputs: [],
  })

function readFolder(folder: string, warn: (problem: string) => void) {
  const descriptions = new Map<string, SignedDescription | undefined>()
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && /\.json$/.test(one.name) && !/\.tests?\.json$/.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .sort()
  if (paths.length > maxFiles)
    warn(`${folder} has more than ${maxFiles} files; the rest is left out`)
  for (const path of paths.slice(0, maxFiles)) {
    const place = relative(folder, path)
    try {
      const { found, problems } = readDescriptor(path, folder)
      for (const problem of problems) warn(`${place}: ${problem}`)
      for (const { deployments, key, description } of found)
        for (const { chainId, address } of deployments) {
          const name = toName({ chainId: `eip155:${chainId}`, address, key })
          const earlier = descriptions.get(name)
          if (!descriptions.has(name)) descriptions.set(name, description)
          else if (earlier && toSignature(earlier) === toSignature(description))
            warn(`${place}: ${name} is already in an earlier file, which is used`)
          else {
            // A contract has only one function per selector, and nothing shows which of the two it
            // is.
            descriptions.set(name, undefined)
            warn(`${place}: ${name} matches several functions, and none of them is named`)
          }
        }
    } catch (error) {
      warn(`${place}: ${getErrorMessage(error)}`)
    }
  }
  return descriptions
}
