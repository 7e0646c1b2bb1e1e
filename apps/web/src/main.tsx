import './page.css'
import '@latchkey/react/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Root } from './Root.tsx'

const element = document.getElementById('root')
if (!element) throw new Error('The page has no #root')
createRoot(element).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
registerWorker()

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
