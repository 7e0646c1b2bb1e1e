import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
)
const projects = [...folders, 'dev', 'e2e', 'bench'].filter((folder) =>
  existsSync(join(root, folder, 'tsconfig.json')),
)

const check = (project: string) =>
  new Promise<boolean>((done) => {
    // One checker each: several would all look at the types that they share, and two projects run at once anyhow.
    const args = ['-p', project, '--checkers', '1']
    const child = spawn(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' })
    child.once('exit', (code) => {
      console.log(`${code === 0 ? 'ok    ' : 'failed'} ${project}`)
      done(code === 0)
    })
  })

const queue = [...projects]
const results: boolean[] = []
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let project = queue.shift(); project !== undefined; project = queue.shift())
      results.push(await check(project))
  }),
)
process.exitCode = results.every(Boolean) ? 0 : 1
