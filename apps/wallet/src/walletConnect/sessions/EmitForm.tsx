import { approvedOn } from '@latchkey/walletconnect'
import { useId, useState } from 'react'
import { useWallet } from '../../useWallet.ts'
import { texts } from '../texts.ts'
import type { Run, SessionProps } from './sessionProps.ts'
import { getSelectedChain } from './sessionScope.ts'

/** Sends an event to the app by hand, on the network in use. */
export function EmitForm({ walletConnect, config, session, run }: SessionProps & { run: Run }) {
  const [name, setName] = useState('')
  const [data, setData] = useState('')
  const id = useId()
  const chainId = getSelectedChain(session, config, useWallet())
  const { events } = approvedOn(session.namespaces, chainId)
  const emit = async () => {
    const parsed = parse(data)
    if (!parsed) return texts.notJson
    const event = { chainId, name: name.trim(), data: parsed.value }
    await walletConnect.wallet.emit(session.topic, event)
    return texts.emitted
  }
  return (
    <details className="part">
      <summary data-testid="session-event">{texts.event}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(emit)
        }}
      >
        <label>
          {texts.eventName}
          <input
            data-testid="session-event-name"
            list={id}
            required
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <datalist id={id}>
            {events.map((event) => (
              <option key={event} value={event} />
            ))}
          </datalist>
        </label>
        <label>
          {texts.eventData}
          <input
            data-testid="session-event-data"
            placeholder="null"
            value={data}
            onChange={({ target }) => setData(target.value)}
          />
        </label>
        <button type="submit" data-testid="session-emit">
          {texts.emit}
        </button>
      </form>
    </details>
  )
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? null : JSON.parse(text) }
  } catch {
    return undefined
  }
}
