import './wallet.css'
import { canParseUrl, listenChannel } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { Approve, type Waiting } from './approval/Approve.tsx'
import { type Config, loadConfig } from './config.ts'
import { popupProtocol } from './extension/protocol.ts'
import { prepareRequest } from './requests/prepareRequest.ts'
import { changeState, readState, stateFor } from './state.ts'
import { texts } from './texts.ts'

z.config({ jitless: true })

const switchTo = async (chainId: number) => changeState({ chainId })

/** The popup: serves the page that opened it, one request after another. */
function Page({ config, opener }: { config: Config; opener: Window }) {
  const [queue, setQueue] = useState<Waiting[]>([])
  useEffect(() => {
    let count = 0
    return listenChannel({
      window,
      peer: opener,
      peerOrigin: window.location.hash.slice(1),
      allowedOrigin: () => true,
      protocol: popupProtocol,
      onConnect: ({ origin, closed }) => {
        closed.addEventListener('abort', () => window.close())
        return {
          ask: (call, { signal }) =>
            new Promise((resolve) => {
              count += 1
              const id = count
              const leave = () => setQueue((all) => all.filter((one) => one.id !== id))
              signal.addEventListener('abort', leave)
              const answer: Waiting['answer'] = (outcome) => {
                leave()
                resolve({ outcome, state: stateFor(origin, config, readState()) })
              }
              setQueue((all) => [
                ...all,
                {
                  id,
                  origin,
                  call,
                  prepare: (state) => prepareRequest({ origin, call, config, state, switchTo }),
                  answer,
                },
              ])
            }),
        }
      },
    })
  }, [config, opener])
  const [first] = queue
  return first ? (
    <Approve key={first.id} waiting={first} />
  ) : (
    <p aria-live="polite">{texts.waiting}</p>
  )
}

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('root') as HTMLElement)
  const show = (text: string) => root.render(<p>{text}</p>)
  const { opener } = window as { opener: Window | null }
  if (window.top !== window) return show(texts.framed)
  // The origin of a file or a sandboxed page is `null`.
  if (!opener || !canParseUrl(window.location.hash.slice(1))) return show(texts.nothing)
  const config = await loadConfig().catch(() => undefined)
  if (!config) return show(texts.noConfig)
  root.render(
    <>
      <h1 className="name">{texts.name}</h1>
      <Page config={config} opener={opener} />
      <footer className="warning">{texts.warning}</footer>
    </>,
  )
}

void start()
