import './wallet.css'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { loadConfig } from './config.ts'
import { texts } from './texts.ts'
import { Wallet } from './Wallet.tsx'

z.config({ jitless: true })

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('root') as HTMLElement)
  const show = (text: string) => root.render(<p>{text}</p>)
  // Inside another page a click could be a stolen one.
  if (window.top !== window) return show(texts.framed)
  const config = await loadConfig().catch(() => undefined)
  if (!config) return show(texts.noConfig)
  root.render(<Wallet config={config} />)
}

void start()
