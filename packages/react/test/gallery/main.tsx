import { german } from '@latchkey/dev/longWords'
import { createRoot } from 'react-dom/client'
import { longest, ordinary } from './fillings.ts'
import { arabic, lengthen } from './lengthen.ts'
import { findDefects, untilStill } from './measures.ts'
import { openSample, SamplePage } from './openSample.tsx'
import { getSamples, type Sample } from './samples.ts'
import './gallery.css'

// Shows a single view, or links to all of them: ?sample=Send&theme=light&dir=rtl&long
const search = new URLSearchParams(location.search)
const isLong = search.has('long')
const filling = isLong ? longest : ordinary
const samples = getSamples(filling)
const root = createRoot(document.getElementById('root') as HTMLElement)

async function show(sample: Sample) {
  const { documentElement: html } = document
  const dir = search.get('dir') === 'rtl' ? 'rtl' : 'ltr'
  const themeMode = search.get('theme') === 'light' ? 'light' : 'dark'
  html.dir = dir
  html.dataset.theme = themeMode
  const { app } = await openSample(sample, { filling, themeMode })
  const messages = isLong ? lengthen(dir === 'rtl' ? arabic : german) : undefined
  root.render(<SamplePage app={app} messages={messages} />)
  await untilStill(sample)
  // For `npm run shots`, which takes the picture now.
  html.dataset.defects = JSON.stringify(findDefects())
}

const sample = samples.find(({ label }) => label === search.get('sample'))
if (sample) await show(sample)
else
  root.render(
    <ul className="links">
      {samples.map(({ label }) => (
        <li key={label}>
          <a href={`?sample=${encodeURIComponent(label)}`}>{label}</a>
        </li>
      ))}
    </ul>,
  )
