import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { launch } from './browser.ts'
import { measureLanding } from './measure/measureOpening.ts'
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
const { child, url } = await forkProcess('processes/apiProcess.ts', {
  ...{ DATA_DIR: join(folder, 'data'), WEB_DIST: outDir, LOG_LEVEL: 'warn' },
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
  console.log(`The landing page on a slow network, medians of ${runs}:`)
  for (const key of ['paint', 'button'] as const) {
    const isMet = median(key) <= limits[key]
    console.log(
      `${isMet ? 'ok    ' : 'FAILED'} ${key === 'paint' ? 'first paint' : 'the button works'}: ${median(key).toFixed(0)} of ${limits[key]} ms`,
    )
    if (!isMet) process.exitCode = 1
  }
  console.log(`       JavaScript until then: ${((counted[0]?.bytes ?? 0) / 1_000).toFixed(1)} kB`)
} finally {
  await browser.close()
  await endProcess(child)
  rmSync(folder, { recursive: true, force: true })
}
