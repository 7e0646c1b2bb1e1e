import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** Bytes of JavaScript: uncompressed, gzip -9 and brotli 11. */
export type Weight = { bytes: number; gzip: number; brotli: number }

export type ClientBundle = {
  /** The size for a page that uses the client: the entry with its static imports. */
  client: Weight
  /** Chunks that load separately and only when needed, by name. */
  lazy: ReadonlyMap<string, Weight>
}

const entryId = `${import.meta.dirname}/client-entry.ts`

/** Builds an app whose only line is `source` for the browser and measures its size. */
export async function buildClient(source: string): Promise<ClientBundle> {
  const [built] = (await build({
    root: import.meta.dirname,
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    plugins: [
      {
        name: 'client-entry',
        resolveId: (id) => (id === entryId ? id : null),
        load: (id) => (id === entryId ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      // A library build, without the app's chunk loader.
      lib: { entry: entryId, formats: ['es'], fileName: 'client' },
      rolldownOptions: {
        // Keeps code that lazy chunks share with the entry in the entry.
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true },
      },
    },
  })) as Rolldown.RolldownOutput[]
  const output = built?.output ?? []
  const chunks = output.flatMap((part) => (part.type === 'chunk' ? [part] : []))
  const atOnce = closure(chunks, chunks.find((chunk) => chunk.isEntry)?.fileName ?? '')
  const lazy = chunks.filter((chunk) => !atOnce.has(chunk.fileName))
  return {
    client: weigh(chunks.filter((chunk) => atOnce.has(chunk.fileName)).map(({ code }) => code)),
    lazy: new Map(lazy.map((chunk) => [chunk.name, weigh([chunk.code])])),
  }
}

/** File names of the chunk `fileName` and of all its static imports. */
export function closure(
  chunks: readonly Rolldown.OutputChunk[],
  fileName: string,
  found: Set<string> = new Set(),
): Set<string> {
  const chunk = chunks.find((one) => one.fileName === fileName)
  if (!chunk || found.has(fileName)) return found
  found.add(fileName)
  for (const next of chunk.imports) closure(chunks, next, found)
  return found
}

/** Total size of files that are compressed separately. */
export function weigh(files: readonly string[]): Weight {
  const total = { bytes: 0, gzip: 0, brotli: 0 }
  for (const file of files) {
    total.bytes += Buffer.byteLength(file)
    total.gzip += gzipSync(file, { level: 9 }).length
    total.brotli += brotliCompressSync(file, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    }).length
  }
  return total
}
