import { spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../root.ts'

/** Writes the declarations of a package. Throws with what TypeScript reported. */
export async function writeTypes({ source, dist }: { source: string; dist: string }) {
  const config = join(dist, 'tsconfig.json')
  const src = join(source, 'src')
  const declarations = join(dist, '.types')
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(source, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        // The version comes from the repository's own package.json.
        rootDir: root,
        outDir: declarations,
      },
      include: [src],
      exclude: [`${src}/**/*.test.ts`, `${src}/**/*.test.tsx`],
    }),
  )
  await runTypeScript(config)
  rmSync(config)
  cpSync(join(declarations, relative(root, src)), dist, { recursive: true })
  rmSync(declarations, { recursive: true })
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts')) nameBuiltFiles(join(dist, path))
  }
}

function runTypeScript(config: string) {
  return new Promise<void>((done, fail) => {
    // One checker: several would all look at the types that they share, and the packages are built at once anyhow.
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

/** TypeScript leaves `./send.ts` in declarations; what is there is `./send.js`. */
function nameBuiltFiles(path: string) {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/(['"])(\.{1,2}\/[^'"]+)\.tsx?\1/g, '$1$2.js$1'))
}
