import { launch } from './browser.ts'
import { buildPage, servePage } from './buildPage.ts'
import {
  measureStraight,
  measureVisit,
  type Profile,
  profiles,
  type Visit,
} from './measure/measureOpening.ts'
import { quantile } from './measure/quantiles.ts'

/** Visits of each profile; one more is thrown away, so that the browser has started. */
const RUNS = 7

const page = await buildPage('index')
const server = await servePage(page, 'index')
const browser = await launch()
const visits = new Map<Profile, (Visit & { straight: number })[]>()
for (let run = 0; run <= RUNS; run++)
  for (const profile of Object.keys(profiles) as Profile[]) {
    const parameters = { url: server.url, profile }
    const straight = await measureStraight(browser, parameters)
    const visit = { ...(await measureVisit(browser, parameters)), straight }
    if (run > 0) visits.set(profile, [...(visits.get(profile) ?? []), visit])
  }
await browser.close()
await server.stop()

const median = (profile: Profile, read: (visit: Visit & { straight: number }) => number) =>
  quantile((visits.get(profile) ?? []).map(read), 0.5)
const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`
const ms = (profile: Profile, key: 'cold' | 'warm' | 'straight' | 'task') =>
  median(profile, (visit) => visit[key]).toFixed(0)
const code = (key: 'start' | 'idle' | 'open') =>
  `${kB(median('1x', (visit) => visit[key].bytes))} in ${median('1x', (visit) => visit[key].files)} files`

const rows: [string, string][] = [
  ['JavaScript before the button works, React included', code('start')],
  ['fetched afterwards when idle', code('idle')],
  ['more at open', code('open')],
  [
    'click to list, cold: 1x / 4x / slow 4G',
    `${ms('1x', 'cold')} / ${ms('4x', 'cold')} / ${ms('slow 4G', 'cold')} ms`,
  ],
  ['warm', `${ms('1x', 'warm')} ms`],
  [
    'navigation to a usable list: 4x / slow 4G',
    `${ms('4x', 'straight')} / ${ms('slow 4G', 'straight')} ms`,
  ],
  [
    'main-thread time of the first opening: 1x / 4x',
    `${ms('1x', 'task')} / ${ms('4x', 'task')} ms`,
  ],
  ['heap after opening', `${(median('1x', (visit) => visit.heap) / 1e6).toFixed(1)} MB`],
]
console.log(`Opening the modal, medians of ${RUNS}:`)
for (const [name, value] of rows) console.log(`  ${name}: ${value}`)
