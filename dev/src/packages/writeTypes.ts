import { spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

type Parameters = { names: readonly string[]; folder: string }

/**
 * Writes the declarations of the packages called `names`, each into its folder in `folder`. One
 * program reads them all, since they import one another. Throws with what TypeScript reported.
 */
export async function writeTypes({ names, folder }: Parameters) {
  const config = join(folder, 'tsconfig.json')
  const declarations = join(folder, '.types')
  const sources = names.map((name) => join(root, 'packages', name, 'src'))
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.all.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        // The version comes from the repository's own package.json.
        rootDir: root,
        outDir: declarations,
      },
      include: sources,
      exclude: sources.flatMap((src) => [`${src}/**/*.test.ts`, `${src}/**/*.test.tsx`]),
    }),
  )
  await runTypeScript(config)
  rmSync(config)
  for (const name of names) {
    const dist = join(folder, name, 'dist')
    const own = join(declarations, 'packages', name, 'src')
    for (const path of readdirSync(own, { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.d.ts')) nameBuiltFiles(join(own, path))
    cpSync(own, dist, { recursive: true })
  }
  rmSync(declarations, { recursive: true })
}

function runTypeScript(config: string) {
  return new Promise<void>((done, fail) => {
    // One checker: several would each check the shared types, and the modules are built at the same
    // time.
    const args = [join(root, 'node_modules/.bin/tsc'), '-p', config, '--checkers', '1']
    const child = spawn(process.execPath, args)
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    child.once('error', fail)
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(output))))
  })
}

/** TypeScript leaves `./send.ts` in declarations, but the built file is `./send.js`. */
function nameBuiltFiles(path: string) {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(['"])(\.{1,2}\/[^'"]+)\.tsx?\1/g, '$1$2.js$1'))
}
