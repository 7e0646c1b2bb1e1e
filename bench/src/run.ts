import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const benches = ['budgets', 'openModal']

for (const name of benches) {
  console.log(`\n── ${name}`)
  spawnSync(process.execPath, ['--import', 'tsx', resolve(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  })
}
