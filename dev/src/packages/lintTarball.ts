import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** The resolution modes that support an ESM-only package; `require` and Node 10 do not. */
const esm: readonly string[] = ['node16-esm', 'bundler']

/**
 * The problems that publint and Are The Types Wrong report for a tarball; style sheets have no
 * types.
 */
export async function lintTarball(path: string): Promise<string[]> {
  const data = readFileSync(path)
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)), {
    excludeEntrypoints: [/\.css$/],
  })
  const problems = analysis.types ? analysis.problems : [{ kind: 'no types' }]
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...problems
      .filter(
        (problem) => !('resolutionKind' in problem) || esm.includes(String(problem.resolutionKind)),
      )
      .map((problem) => JSON.stringify(problem)),
  ]
}
