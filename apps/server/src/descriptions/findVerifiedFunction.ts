import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeSignedRoute, type SignedDescription } from '@latchkey/wire'
import { getAddress, type Hex, toFunctionSelector } from 'viem'
import * as z from 'zod'
import { toParameter } from './readDescriptor.ts'

/**
 * The key of a description: a network (`eip155:1`), a contract, and a function selector or EIP-712
 * type hash.
 */
export type Signed = { readonly chainId: string; readonly address: string; readonly key: string }

const maxFileBytes = 4_194_304
const part = z.looseObject({ type: z.string() })
/** An ABI by itself, or the metadata that Solidity's compiler writes. */
const file = z.union([
  z.array(part),
  z.object({ output: z.object({ abi: z.array(part) }) }).transform(({ output }) => output.abi),
])
const fn = z.object({ name: z.string(), inputs: z.array(z.any()) })

/**
 * The function with a selector in the verified ABI of a contract. The ABI comes from a copy of
 * Sourcify's repository (`contracts/full_match/1/0x…/metadata.json`, or `partial_match`), or from
 * `1/0x….json`. Undefined if there is no such ABI or function.
 */
export async function findVerifiedFunction(
  folder: string,
  { chainId, address, key }: Signed,
): Promise<SignedDescription | undefined> {
  if (key.length !== 10) return undefined
  const number = chainId.replace(/^eip155:/, '')
  const name = getAddress(address as Hex)
  const places = [
    join(folder, 'contracts', 'full_match', number, name, 'metadata.json'),
    join(folder, 'contracts', 'partial_match', number, name, 'metadata.json'),
    join(folder, number, `${name}.json`),
    join(folder, number, `${name.toLowerCase()}.json`),
  ]
  for (const path of places) {
    const parts = await readAbi(path)
    if (parts) return describe(parts, key)
  }
  return undefined
}

/** Undefined if the file is missing or is not an ABI. */
async function readAbi(path: string): Promise<z.infer<typeof file> | undefined> {
  try {
    if ((await stat(path)).size > maxFileBytes) return undefined
    const parsed = file.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.data
  } catch {
    return undefined
  }
}

function describe(parts: z.infer<typeof file>, key: string): SignedDescription | undefined {
  for (const one of parts) {
    if (one.type !== 'function') continue
    try {
      if (toFunctionSelector(one as never) !== key) continue
      const { name, inputs } = fn.parse(one)
      const given = { source: 'abi', name, inputs: inputs.map(toParameter), fields: [] }
      return z.parse(describeSignedRoute.result, { description: given }).description ?? undefined
    } catch {
      // The part is not a function.
    }
  }
  return undefined
}
