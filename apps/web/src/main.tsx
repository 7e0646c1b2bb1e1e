import './page.css'
import '@latchkey/react/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadStart, Root, type Start } from './Root.tsx'

const element = document.getElementById('root')
if (!element) throw new Error('The page has no #root')
const root = createRoot(element)

/** Longer than a response that index.html has loaded ahead takes to be read. */
const momentMs = 50
/** How long the first text waits for its font. In another font, its lines may break elsewhere. */
const fontMs = 300

void start()
registerWorker()

/** Draws the app at once if the server's configuration is here, and a page without it otherwise. */
async function start() {
  const first = loadStart()
  const loading: Start = { status: 'loading' }
  const font = document.fonts.load('1em "Inter Variable"').catch(() => {})
  const [now] = await Promise.all([
    Promise.race([first, after(momentMs, loading)]),
    Promise.race([font, after(fontMs, undefined)]),
  ])
  root.render(
    <StrictMode>
      <Root now={now} first={first} />
    </StrictMode>,
  )
}

function after<Value>(ms: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, ms, value))
}

/**
 * Registers the service worker, which keeps the code of the pages for times without a network, and
 * shows notices. Only in production builds, and only on https or on this machine.
 */
function registerWorker() {
  if (!import.meta.env.PROD || !isSecureContext || !('serviceWorker' in navigator)) return
  // Without the worker, the pages work as long as there is a network.
  const register = () => navigator.serviceWorker.register('/sw.js').catch(() => {})
  // Its downloads wait until the page has what it needs.
  if (document.readyState === 'complete') void register()
  else window.addEventListener('load', register, { once: true })
}
