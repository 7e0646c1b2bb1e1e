import './wallet.css'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { loadConfig } from './config.ts'
import { texts } from './texts.ts'
import { Wallet } from './Wallet.tsx'
import { readLink } from './walletConnect/pairing/readLink.ts'

z.config({ jitless: true })

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('root') as HTMLElement)
  const show = (text: string) => root.render(<p>{text}</p>)
  // Inside another page a click could be a stolen one.
  if (window.top !== window) return show(texts.framed)
  const config = await loadConfig().catch(() => undefined)
  if (!config) return show(texts.noConfig)
  const opened = takeLink()
  if (config.relayUrl === undefined)
    return root.render(<Wallet config={config} walletConnect="none" />)
  root.render(<Wallet config={config} walletConnect="opening" />)
  const walletConnect = await openClient(config.relayUrl).catch(() => 'failed' as const)
  root.render(<Wallet config={config} walletConnect={walletConnect} opened={opened} />)
}

/** Removes the link from the address: it holds a key, and a reload must not use it again. */
function takeLink(): string | undefined {
  const { href, pathname, search } = window.location
  const opened = readLink(href)
  if (pathname !== '/' || search !== '') window.history.replaceState(null, '', '/')
  return opened
}

async function openClient(relayUrl: string) {
  const { openWalletConnect } = await import('./walletConnect/openWalletConnect.ts')
  return openWalletConnect(relayUrl)
}

void start()
