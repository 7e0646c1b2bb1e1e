import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import solc from 'solc'
import { z } from 'zod'
import { root } from '../root.ts'

const require = createRequire(import.meta.url)
const names = [
  'DevToken',
  'DevKeys',
  'DevPictures',
  'DevItems',
  'DevDrop',
  'DevRegistry',
  'DevResolver',
  'DevReverse',
  'DevLiquidity',
  'DevOffchain',
  'DevPaymaster',
  'DevFarcaster',
  'DevL1Block',
  'DevGasPriceOracle',
  'NameResolver',
  'DevUniversalResolver',
  'DevSwapRouter',
  'DevHostileToken',
  'DevLure',
  'DevPermit2',
  'TransferProbe',
  'PermissionAccount',
  'ArgumentEnforcer',
] as const

const errorsSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
})
const outputSchema = z.object({
  contracts: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        abi: z.array(z.unknown()),
        evm: z.object({ bytecode: z.object({ object: z.string() }) }),
      }),
    ),
  ),
})

/**
 * The artifacts of dev/contracts, one JSON string per contract. Takes about a second, so the result
 * is stored in dev/generated; a test compares the two. Rewrite it with
 * `npx tsx dev/src/contracts/compile.ts`.
 */
export function compile(): Record<(typeof names)[number], string> {
  const sources = Object.fromEntries(
    names.map((name) => [`${name}.sol`, { content: readFileSync(sourceFile(name), 'utf8') }]),
  )
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const answer: unknown = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }))
  const { errors = [] } = errorsSchema.parse(answer)
  const wrong = errors.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Error(wrong.map((error) => error.formattedMessage).join('\n'))
  const output = outputSchema.parse(answer)
  return Object.fromEntries(
    names.map((name) => {
      const contract = output.contracts[`${name}.sol`]?.[name]
      if (!contract) throw new Error(`${name}.sol holds no contract ${name}`)
      const bytecode = `0x${contract.evm.bytecode.object}`
      return [name, `${JSON.stringify({ abi: contract.abi, bytecode })}\n`]
    }),
  ) as Record<(typeof names)[number], string>
}

const sourceFile = (name: string) => `${root}/dev/contracts/${name}.sol`

const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of Object.entries(compile())) {
    writeFileSync(`${root}/dev/generated/${name}.json`, text)
  }
}
