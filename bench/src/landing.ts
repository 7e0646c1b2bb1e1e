import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { launch } from './browser.ts'
import { measureLanding } from './measure/measureOpening.ts'
import { kB, printRows } from './measure/printRows.ts'
import { quantile } from './measure/quantiles.ts'
import { endProcess, forkProcess } from './processes/forkProcess.ts'

// The landing page of the server on a slow network (1.6 Mbit/s, 150 ms), in a browser that has
// nothing stored.

/** Visits; the first is not counted, so that the browser has started. */
const runs = 7
const limits = { paint: 1_200, button: 1_600 }

const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-landing-'))
const root = resolve(import.meta.dirname, '../../apps/web')
const outDir = join(folder, 'web')
await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
// The landing page needs a network, and no data of it.
const chainsFile = join(folder, 'chains.json')
const ethereum = {
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  upstreams: ['http://127.0.0.1:9/'],
}
writeFileSync(chainsFile, JSON.stringify({ chains: { 'eip155:1': ethereum } }))
const { child, url } = await forkProcess('processes/apiProcess.ts', {
  ...{ DATA_DIR: join(folder, 'data'), CHAINS_FILE: chainsFile },
  ...{ WEB_DIST: outDir, LOG_LEVEL: 'warn' },
})
const browser = await launch()
try {
  const visits: Awaited<ReturnType<typeof measureLanding>>[] = []
  for (let run = 0; run <= runs; run++) visits.push(await measureLanding(browser, { url }))
  const counted = visits.slice(1)
  const median = (key: 'paint' | 'button') =>
    quantile(
      counted.map((visit) => visit[key]),
      0.5,
    )
  const within = (key: 'paint' | 'button') =>
    [median(key) <= limits[key], `${median(key).toFixed(0)} of ${limits[key]} ms`] as const
  console.log(`The landing page on a slow network, medians of ${runs}:`)
  printRows([
    ['first paint', ...within('paint')],
    ['the button works', ...within('button')],
  ])
  console.log(`JavaScript until then: ${kB(counted[0]?.bytes ?? 0)}`)
} finally {
  await browser.close()
  await endProcess(child)
  rmSync(folder, { recursive: true, force: true })
}
